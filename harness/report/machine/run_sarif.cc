#include "report/machine/run_sarif.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/hash.h"
#include "base/text.h"
#include "report/clean_text.h"
#include "report/kernel_costs.h"
#include "report/machine/sarif_log.h"

namespace warpcheck {
namespace {

const char* LevelOf(FindingKind kind) { return IsInformation(kind) ? "note" : "error"; }

// Returns the rule of a kind of finding: what it means, and what to do about it.
Sarif RuleOf(FindingKind kind) {
  const std::string meaning(Meaning(kind));
  Finding finding;
  finding.kind = kind;
  const std::string hint = HintFor(finding);
  return {{"id", Name(kind)},
          {"shortDescription", {{"text", meaning}}},
          {"fullDescription", {{"text", meaning}}},
          {"help", {{"text", hint.empty() ? meaning : meaning + ". What to do: " + hint}}},
          {"defaultConfiguration", {{"level", LevelOf(kind)}}}};
}

class RunSarifWriter {
 public:
  explicit RunSarifWriter(const RunSarifOptions& options) : options_(options) {}

  std::string Write(const std::vector<run::ProcessResult>& processes) {
    std::vector<Finding> findings;
    for (const run::ProcessResult& process : processes) {
      for (const Finding& finding : FindingsOf(process)) AddFinding(findings, finding);
    }
    Sarif results = Sarif::array();
    for (const Finding& mistake : Mistakes(findings)) results.push_back(ResultOf(mistake));
    const std::string number = options_.version.substr(options_.version.find_last_of(' ') + 1);
    return SarifLog({{"name", "warpcheck"},
                     {"fullName", options_.version},
                     {"version", number},
                     {"rules", std::move(rules_)}},
                    results);
  }

 private:
  Sarif ResultOf(const Finding& finding) {
    Sarif result = {{"ruleId", Name(finding.kind)},
                    {"ruleIndex", IndexOf(finding.kind)},
                    {"level", LevelOf(finding.kind)},
                    {"message", {{"text", MessageText(finding)}}},
                    {"locations", Sarif::array({PlaceOfResult(finding)})}};
    Sarif related = Related(finding);
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    if (finding.count <= kMostOccurrences) result["occurrenceCount"] = finding.count;
    result["partialFingerprints"] = {{"finding/v1", Fingerprint(finding)}};
    return result;
  }

  std::size_t IndexOf(FindingKind kind) {
    const auto [known, is_new] = indices_.try_emplace(kind, rules_.size());
    if (is_new) rules_.push_back(RuleOf(kind));
    return known->second;
  }

  static std::string MessageText(const Finding& finding) {
    std::string text = CleanText(fmt::format("{}: {}", Meaning(finding.kind), MessageOf(finding)));
    if (finding.thread) {
      text += fmt::format("\nfirst in block {}, thread {}", PositionText(finding.thread->block),
                          PositionText(finding.thread->thread));
    }
    const std::string hint = HintFor(finding);
    return hint.empty() ? text : text + "\nhint: " + CleanText(hint);
  }

  Sarif PlaceOfResult(const Finding& finding) const {
    const SourceLocation& where = PlaceOf(finding);
    Sarif location = {{"physicalLocation", PhysicalOf(where)}};
    if (!finding.kernel.empty()) {
      location["logicalLocations"] =
          Sarif::array({{{"fullyQualifiedName", CleanText(finding.kernel)}, {"kind", "function"}}});
    }
    return location;
  }

  Sarif PhysicalOf(const SourceLocation& where) const {
    return where.known() ? PhysicalLocation(CleanText(options_.shown_file(where.file)), where.line)
                         : PhysicalLocation(CleanText(options_.program), 0);
  }

  // Returns the other places of the finding, each once.
  Sarif Related(const Finding& finding) const {
    Sarif related = Sarif::array();
    std::set<SourceLocation> shown;
    const auto add = [&](const SourceLocation& where, const char* what) {
      if (!where.known() || !shown.insert(where).second) return;
      related.push_back({{"id", related.size() + 1},
                         {"physicalLocation", PhysicalOf(where)},
                         {"message", {{"text", what}}}});
    };
    if (finding.where != PlaceOf(finding)) add(finding.where, "the access");
    add(finding.other, "the other access");
    if (finding.gap) {
      add(finding.gap->after, "the barrier is missing after this line");
      add(finding.gap->before, "the barrier is missing before this line");
    }
    add(finding.caller, "the kernel calls the function here");
    return related;
  }

  // Returns a hash of what the mistake is, without the numbers of its lines. Mistakes that are
  // equal but for their lines are numbered.
  std::string Fingerprint(const Finding& finding) {
    const SourceLocation& where = PlaceOf(finding);
    const std::string mistake =
        Sha256({Name(finding.kind), where.known() ? options_.shown_file(where.file) : "",
                options_.source(where), options_.source(finding.other),
                where.known() ? "" : finding.call, finding.about, finding.kernel});
    const int number = ++numbers_[mistake];
    return number == 1 ? mistake : Sha256({mistake, std::to_string(number)});
  }

  static constexpr std::uint64_t kMostOccurrences = 0x7fff'ffff;

  const RunSarifOptions& options_;
  Sarif rules_ = Sarif::array();
  std::map<FindingKind, std::size_t> indices_;  // in rules_
  std::map<std::string, int> numbers_;          // how often a mistake was seen
};

}  // namespace

std::string RunSarif(const std::vector<run::ProcessResult>& processes,
                     const RunSarifOptions& options) {
  return RunSarifWriter(options).Write(processes);
}

}  // namespace warpcheck

// The class as JUnit XML (table.h).
#include <tinyxml2.h>

#include <string>
#include <vector>

#include "batch/table.h"
#include "report/text.h"

namespace warpcheck::batch {
namespace {

constexpr std::size_t kMaxTexts = std::size_t{8} << 20;  // of the file, escaped
constexpr std::size_t kMaxName = 256;

enum class Outcome { kPassed, kFailure, kError, kSkipped };

Outcome OutcomeOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed:
      return Outcome::kPassed;
    case Verdict::kFailed:
      return Outcome::kFailure;
    case Verdict::kSkipped:
    case Verdict::kNotMeasured:
      return Outcome::kSkipped;
    case Verdict::kError:
    case Verdict::kInvalidReference:
    case Verdict::kHarnessFault:
      break;
  }
  return Outcome::kError;
}

struct Tally {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;

  void Add(Outcome outcome) {
    ++tests;
    failures += outcome == Outcome::kFailure ? 1 : 0;
    errors += outcome == Outcome::kError ? 1 : 0;
    skipped += outcome == Outcome::kSkipped ? 1 : 0;
  }
};

// A student without a grade has one case, which says so.
std::vector<CriterionCell> CellsOf(const Line& line, const Rubric& rubric) {
  if (line.row) return line.row->criteria;
  CriterionCell cell;
  cell.says = "not graded yet";
  return std::vector<CriterionCell>(rubric.criteria.size(), cell);
}

class Writer {
 public:
  explicit Writer(const Table& table) : table_(table) {}

  std::string Write() {
    xml_.PushHeader(false, true);
    xml_.OpenElement("testsuites");
    Attribute("name", Neutral(table_.rubric.title, kMaxName));
    Tally all;
    for (const Line& line : table_.lines) {
      for (const CriterionCell& cell : CellsOf(line, table_.rubric))
        all.Add(OutcomeOf(cell.verdict));
    }
    AddCounts(all);
    for (const Line& line : table_.lines) AddSuite(line);
    xml_.CloseElement();
    return {xml_.CStr(), static_cast<std::size_t>(xml_.CStrSize() - 1)};
  }

 private:
  void Attribute(const char* name, const std::string& value) {
    xml_.PushAttribute(name, value.c_str());
  }

  void AddCounts(const Tally& tally) {
    Attribute("tests", std::to_string(tally.tests));
    Attribute("failures", std::to_string(tally.failures));
    Attribute("errors", std::to_string(tally.errors));
  }

  void AddSuite(const Line& line) {
    const std::vector<CriterionCell> cells = CellsOf(line, table_.rubric);
    Tally tally;
    for (const CriterionCell& cell : cells) tally.Add(OutcomeOf(cell.verdict));
    xml_.OpenElement("testsuite");
    Attribute("name", line.entry.id);
    AddCounts(tally);
    Attribute("skipped", std::to_string(tally.skipped));
    Attribute("timestamp", JunitTimestamp(table_.begun));
    Attribute("hostname", "localhost");
    AddProperties(line);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      AddCase(line.entry.id, table_.rubric.criteria[i], cells[i]);
    }
    xml_.CloseElement();
  }

  void AddProperties(const Line& line) {
    xml_.OpenElement("properties");
    const auto add = [this](const char* name, const std::string& value) {
      xml_.OpenElement("property");
      Attribute("name", name);
      Attribute("value", value);
      xml_.CloseElement();
    };
    if (!line.entry.name.empty()) add("student", Neutral(line.entry.name, kMaxName));
    if (line.mark.score) add("score", line.mark.score->Text());
    add("max_score", table_.rubric.Total().Text());
    if (line.row) add("verdict", std::string(Name(line.row->verdict)));
    xml_.CloseElement();
  }

  void AddCase(const std::string& id, const Criterion& criterion, const CriterionCell& cell) {
    xml_.OpenElement("testcase");
    Attribute("classname", id);
    Attribute("name", Neutral(criterion.name, kMaxName));
    const Outcome outcome = OutcomeOf(cell.verdict);
    if (outcome != Outcome::kPassed) {
      const std::string verdict(Name(cell.verdict));
      const std::string says = WithinBudget(SaysWhere(cell));
      const std::string& text = says.empty() ? verdict : says;
      xml_.OpenElement(outcome == Outcome::kFailure ? "failure"
                       : outcome == Outcome::kError ? "error"
                                                    : "skipped");
      Attribute("message", text);
      Attribute("type", verdict);
      xml_.PushText((text + PlaceForJunit(cell.where, id)).c_str());
      xml_.CloseElement();
    }
    xml_.CloseElement();
  }

  std::string WithinBudget(const std::string& text) {
    std::string clean = used_ < kMaxTexts ? Neutral(text) : "";
    used_ += 2 * EscapedSize(clean);
    return clean;
  }

  const Table& table_;
  tinyxml2::XMLPrinter xml_;
  std::size_t used_ = 0;
};

}  // namespace

std::string ClassJunit(const Table& table) { return Writer(table).Write(); }

}  // namespace warpcheck::batch

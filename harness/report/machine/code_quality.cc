// Writes GitLab's code quality report: the complaints that have a line. A merge request shows each
// at its line (docs.gitlab.com, "Code Quality").
#include <nlohmann/json.hpp>
#include <set>

#include "base/hash.h"
#include "base/json/record.h"
#include "report/clean_text.h"
#include "report/complaint_groups.h"
#include "report/machine/criterion_text.h"
#include "report/reports.h"

namespace warpcheck {

std::string CodeQualityReport(const Grade& grade) {
  using Json = nlohmann::ordered_json;
  const Attempt& attempt = grade.attempt;
  Json entries = Json::array();
  std::set<std::string> fingerprints;
  const auto add = [&](const std::string& check, const char* severity, const Complaint& complaint) {
    const SourceLocation& where = complaint.where;
    if (!where.known()) return;  // the format requires a line
    const std::string path = PathOf(attempt, where);
    const std::string description =
        CleanText(complaint.message.substr(0, complaint.message.find('\n')));
    const std::string fingerprint =
        Sha256({check, path, std::to_string(where.line), IdOf(complaint)});
    if (!fingerprints.insert(fingerprint).second) return;
    entries.push_back({{"description", description},
                       {"check_name", CleanText(check)},
                       {"fingerprint", fingerprint},
                       {"severity", severity},
                       {"location", {{"path", path}, {"lines", {{"begin", where.line}}}}}});
  };
  if (const auto& error = attempt.build.error) {
    add("compile", "blocker",
        {.message = error->message, .where = error->where, .kind = ComplaintKind::kDoesNotCompile});
  }
  for (const auto& [criterion, group] : LostPoints(grade)) {
    const char* severity = criterion->verdict == Verdict::kError ? "critical" : "major";
    add(criterion->id, severity, *group.complaint);
  }
  return JsonText(entries, 2) + "\n";
}

}  // namespace warpcheck

// Writes a grade as SARIF 2.1.0, for GitHub's code scanning and for editors: a rule for each
// criterion that lost points, and a result for each of its complaints.
#include <nlohmann/json.hpp>

#include "base/hash.h"
#include "report/clean_text.h"
#include "report/complaint_groups.h"
#include "report/machine/criterion_text.h"
#include "report/machine/sarif_log.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

// A complaint without a known line is a result of the whole submission.
Sarif ResultOf(const Attempt& attempt, const std::string& rule, const Complaint& complaint) {
  const SourceLocation& where = complaint.where;
  const std::string path = where.known() ? PathOf(attempt, where) : CleanText(attempt.submission);
  Sarif place = PhysicalLocation(path, where.line);
  std::string message = complaint.message;
  if (!complaint.hint.empty()) message += "\nhint: " + complaint.hint;
  const std::string id = Sha256({rule, path, std::to_string(where.line), IdOf(complaint)});
  return {{"ruleId", rule},
          {"level", "error"},
          {"message", {{"text", CleanText(message)}}},
          {"locations", Sarif::array({{{"physicalLocation", std::move(place)}}})},
          {"partialFingerprints", {{"complaint/v2", id}}}};
}

}  // namespace

std::string SarifReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  Sarif rules = Sarif::array();
  Sarif results = Sarif::array();
  const auto add = [&](const std::string& id, const std::string& name, const Complaint& complaint) {
    const std::string rule = CleanText(id);
    if (rules.empty() || rules.back()["id"] != rule) {
      rules.push_back({{"id", rule}, {"shortDescription", {{"text", CleanText(name)}}}});
    }
    results.push_back(ResultOf(attempt, rule, complaint));
  };
  if (const auto& error = attempt.build.error) {
    add("compile", "It does not compile",
        {.message = error->message, .where = error->where, .kind = ComplaintKind::kDoesNotCompile});
  }
  for (const auto& [criterion, group] : LostPoints(grade)) {
    add(criterion->id, criterion->name, *group.complaint);
  }
  const Sarif driver = {
      {"name", "warpcheck"}, {"fullName", CleanText(GradedWith(attempt))}, {"rules", rules}};
  return SarifLog(driver, results);
}

}  // namespace warpcheck

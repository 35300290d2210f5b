// Writes the JSON that GitHub Classroom's reporter reads, before it is encoded as base64. The
// reporter adds up the tests' scores (github.com/classroom-resources/autograding-grading-reporter).
#include <nlohmann/json.hpp>

#include "base/json/record.h"
#include "report/clean_text.h"
#include "report/machine/criterion_text.h"
#include "report/reports.h"
#include "report/wording.h"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

const char* Status(Verdict verdict) {
  if (verdict == Verdict::kPassed) return "pass";
  return verdict == Verdict::kFailed || verdict == Verdict::kSkipped ? "fail" : "error";
}

// Returns the place of the first complaint of the criterion that has a place.
SourceLocation FirstPlaceOf(const CriterionGrade& criterion) {
  for (const CaseResult& result : criterion.cases) {
    for (const Complaint& complaint : result.complaints) {
      if (complaint.where.known()) return complaint.where;
    }
  }
  return {};
}

}  // namespace

std::string ClassroomReport(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  json tests = json::array();
  for (const CriterionGrade& criterion : grade.criteria) {
    const SourceLocation where = FirstPlaceOf(criterion);
    tests.push_back({{"name", CleanText(criterion.name)},
                     {"status", Status(criterion.verdict)},
                     {"score", Number(criterion.points)},
                     {"message", CriterionText(grade, criterion)},
                     {"test_code", "warpcheck check " + CleanText(attempt.assignment) + " " +
                                       CleanText(attempt.submission)},
                     {"filename", where.known() ? PathOf(attempt, where) : ""},
                     {"line_no", where.line}});
  }
  const json report = {{"version", 1},
                       {"status", Status(grade.verdict)},
                       {"max_score", Number(grade.max_score)},
                       {"tests", std::move(tests)}};
  return JsonText(report, 2) + "\n";
}

}  // namespace warpcheck

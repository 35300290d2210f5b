// Writes Gradescope's results.json, with one test for each criterion
// (gradescope-autograders.readthedocs.io, "Autograder Specifications"). If the score is not final,
// students should not see it: then give Gradescope no file, and it says that the autograder failed.
// Gradescope shows hidden criteria after the late due date, and until then not the total.
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json/record.h"
#include "report/clean_text.h"
#include "report/exactness/exactness_text.h"
#include "report/machine/criterion_text.h"
#include "report/reports.h"
#include "report/wording.h"

namespace warpcheck {

std::string GradescopeReport(const Grade& grade) {
  using Json = nlohmann::ordered_json;
  const Attempt& attempt = grade.attempt;
  Json tests = Json::array();
  for (const CriterionGrade& criterion : grade.criteria) {
    const bool passed = criterion.verdict == Verdict::kPassed;
    tests.push_back({{"number", std::to_string(tests.size() + 1)},
                     {"name", CleanText(criterion.name)},
                     {"score", Number(criterion.points)},
                     {"max_score", Number(criterion.max_points)},
                     {"status", passed ? "passed" : "failed"},
                     {"output", CriterionText(grade, criterion)},
                     {"visibility", criterion.hidden ? "after_due_date" : "visible"}});
  }
  const std::string& device = attempt.report.device_name;
  const std::string exactness = ExactnessText(grade);
  const Json report = {
      {"score", Number(grade.score)},
      {"execution_time", std::llround(attempt.build_seconds + attempt.checks_seconds)},
      {"output", CleanText(grade.title) + "\n" +
                     CleanText(device.empty() ? attempt.device : device) +
                     (exactness.empty() ? "" : "\n" + CleanText(exactness))},
      {"output_format", "text"},
      {"test_output_format", "text"},
      {"visibility", "visible"},
      {"stdout_visibility", "hidden"},
      {"extra_data",
       {{"assignment", attempt.assignment},
        {"graded_with", GradedWith(attempt)},
        {"device", attempt.device},
        {"seed", attempt.seed},
        {"verdict", Name(grade.verdict)},
        {"score_is_final", grade.score_is_final}}},
      {"tests", std::move(tests)}};
  return JsonText(report, 2) + "\n";
}

}  // namespace warpcheck

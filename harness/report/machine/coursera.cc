// Writes Coursera's feedback.json (github.com/coursera/programming-assignments-demo,
// custom-graders). Its type is HTML, so that learners see the page of `--html`, which must lie
// beside it as htmlFeedback.html; the text is for learners without the page. Coursera cuts the text
// after 64 KB. If the score is not final, give Coursera no file, and it says that the grader
// failed. The share has the points of hidden criteria; the text does not name them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json/record.h"
#include "grading/student_view.h"
#include "report/clean_text.h"
#include "report/machine/criterion_text.h"
#include "report/machine/text_budget.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

constexpr std::size_t kMaxFeedback = 60'000;  // below 64 KB, in bytes of the file

std::string Feedback(const Grade& grade) {
  std::string text = fmt::format("{}: {} of {} points\n", CleanText(grade.title),
                                 grade.score.Text(), grade.max_score.Text());
  if (const auto& error = grade.attempt.build.error) {
    return text + "\nIt does not compile:\n" + CleanText(error->log, kMaxFeedback);
  }
  for (const CriterionGrade& criterion : grade.criteria) {
    text += fmt::format("\n{}: {} of {} points\n", CleanText(criterion.name),
                        criterion.points.Text(), criterion.max_points.Text());
    text += CriterionText(grade, criterion);
  }
  return text;
}

}  // namespace

std::string CourseraReport(const Grade& grade) {
  const auto max = static_cast<double>(grade.max_score.hundredths());
  const double share = max > 0 ? static_cast<double>(grade.score.hundredths()) / max : 0;
  const nlohmann::ordered_json report = {
      {"fractionalScore", std::clamp(share, 0.0, 1.0)},
      {"feedback", TextBudget(kMaxFeedback).Within(Feedback(StudentView(grade)))},
      {"feedbackType", "HTML"}};
  return JsonText(report, 2) + "\n";
}

}  // namespace warpcheck

// Writes Autolab's autoresult: the line of JSON that must come last in what the grader prints
// (docs.autolabproject.com, "Guide for Lab Authors"). Each criterion is a problem of the lab, under
// its id, because ids are short and unique. A criterion that could not be judged is left out, so
// that Autolab shows no score for it; the staff can set one. Hidden criteria are one problem, and
// the scoreboard, which everybody sees, has no points of theirs.
#include <nlohmann/json.hpp>

#include "base/json/record.h"
#include "grading/student_view.h"
#include "report/clean_text.h"
#include "report/reports.h"
#include "report/wording.h"

namespace warpcheck {

std::string AutolabReport(const Grade& grade) {
  using json = nlohmann::ordered_json;
  json scores = json::object();
  Points hidden;
  bool hidden_is_final = true;
  for (const CriterionGrade& criterion : grade.criteria) {
    const bool undecided = IsUndecided(criterion.verdict);
    if (criterion.hidden) {
      hidden += criterion.points;
      hidden_is_final = hidden_is_final && !undecided;
    } else if (!undecided) {
      scores[CleanText(criterion.id)] = Number(criterion.points);
    }
  }
  if (HidesSomething(grade) && hidden_is_final) scores["hidden-tests"] = Number(hidden);
  json result = {{"scores", std::move(scores)}};
  if (grade.score_is_final) {
    result["scoreboard"] = json::array({Number(StudentView(grade).score)});
  }
  return JsonText(result, -1) + "\n";
}

}  // namespace warpcheck

// Writes Autolab's autoresult: the line of JSON that must come last in what the grader prints
// (docs.autolabproject.com, "Guide for Lab Authors"). Each criterion is a problem of the lab, under
// its id, because ids are short and unique. A criterion that could not be judged is left out, so
// that Autolab shows no score for it; the staff can set one.
#include <nlohmann/json.hpp>

#include "base/json/record.h"
#include "report/clean_text.h"
#include "report/reports.h"
#include "report/wording.h"

namespace warpcheck {

std::string AutolabReport(const Grade& grade) {
  using json = nlohmann::ordered_json;
  json scores = json::object();
  for (const CriterionGrade& criterion : grade.criteria) {
    if (!IsUndecided(criterion.verdict)) scores[CleanText(criterion.id)] = Number(criterion.points);
  }
  json result = {{"scores", std::move(scores)}};
  if (grade.score_is_final) result["scoreboard"] = json::array({Number(grade.score)});
  return JsonText(result, -1) + "\n";
}

}  // namespace warpcheck

#include "report/grade_json.h"

#include <utility>

#include "report/exactness/exactness_text.h"
#include "report/wording.h"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

json ErrorOf(const compile::Outcome& build) {
  if (!build.error) return nullptr;
  return {{"message", build.error->message},
          {"file", build.error->where.file},
          {"line", build.error->where.line},
          {"log", build.error->log}};
}

}  // namespace

json GradeJson(const Grade& grade) {
  const Attempt& attempt = grade.attempt;
  json criteria = json::array();
  for (const CriterionGrade& criterion : grade.criteria) {
    criteria.push_back({{"id", criterion.id},
                        {"name", criterion.name},
                        {"points", Number(criterion.points)},
                        {"max_points", Number(criterion.max_points)},
                        {"verdict", Name(criterion.verdict)},
                        {"reason", criterion.reason}});
  }
  return {{"version", attempt.version},
          {"toolkit", attempt.build.artifact ? attempt.build.artifact->toolkit : ""},
          {"assignment", attempt.assignment},
          {"submission", attempt.submission},
          {"device", attempt.device},
          {"device_name", attempt.report.device_name},
          {"device_remark", attempt.device_remark},
          {"exactness", ExactnessText(grade)},
          {"seed", attempt.seed},
          {"score", Number(grade.score)},
          {"max_score", Number(grade.max_score)},
          {"score_is_final", grade.score_is_final},
          {"verdict", Name(grade.verdict)},
          {"compile_error", ErrorOf(attempt.build)},
          {"warnings", attempt.build.artifact ? attempt.build.artifact->warnings : ""},
          {"device_output", attempt.report.device_output},
          {"host_output", attempt.report.host_output},
          {"criteria", std::move(criteria)}};
}

}  // namespace warpcheck

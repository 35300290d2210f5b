#include "host/grade_file.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json/record.h"
#include "base/result.h"
#include "host/courses.h"
#include "host/local_grader.h"
#include "report/reports.h"

namespace warpcheck {
namespace {

Result<Grade> GradeOf(std::string_view text) {
  const auto order = WARPCHECK_TRY(ParseRecord<GradeOrder>(text));
  const auto assignment = WARPCHECK_TRY(AssignmentNamed(order.assignment));
  LocalGrader::Settings settings;
  settings.plan = order.plan;
  settings.handles_signals = false;
  const auto grader = WARPCHECK_TRY(LocalGrader::Make(std::move(settings)));
  auto grade = grader->GradeIt(assignment, order.submission);
  if (!grade) return Fail(Error(grade.error()));
  return *std::move(grade);
}

}  // namespace

std::string GradeFile(std::string_view order) {
  const auto grade = GradeOf(order);
  nlohmann::ordered_json answer;
  if (grade) {
    answer["report"] = ParseOrderedJson(JsonReport(*grade));
  } else {
    answer["error"] = {{"message", grade.error().message}, {"hint", grade.error().hint}};
  }
  return JsonText(answer);
}

}  // namespace warpcheck

#include "grading/grade_json.h"

#include <algorithm>

#include "results/results_json.h"

namespace warpcheck {

template <>
struct JsonOf<Points> {
  static nlohmann::ordered_json To(Points points) { return points.hundredths(); }
  static Points From(const nlohmann::json& value, const char* name) {
    return Points::FromHundredths(IntegerIn<std::int64_t>(value, name));
  }
};

template <>
inline constexpr auto kFieldsOf<build::CompileError> =
    std::tuple{RecordField{"log", &build::CompileError::log},
               RecordField{"where", &build::CompileError::where},
               RecordField{"message", &build::CompileError::message}};

template <>
inline constexpr auto kFieldsOf<build::Artifact> =
    std::tuple{RecordField{"shared_object", &build::Artifact::shared_object},
               RecordField{"sources", &build::Artifact::sources},
               RecordField{"warnings", &build::Artifact::warnings},
               RecordField{"modules", &build::Artifact::modules},
               RecordField{"from_cache", &build::Artifact::from_cache}};

template <>
inline constexpr auto kFieldsOf<build::Outcome> =
    std::tuple{RecordField{"artifact", &build::Outcome::artifact},
               RecordField{"error", &build::Outcome::error}};

template <>
inline constexpr auto kFieldsOf<Attempt> =
    std::tuple{RecordField{"assignment", &Attempt::assignment},
               RecordField{"submission", &Attempt::submission},
               RecordField{"device", &Attempt::device},
               RecordField{"device_remark", &Attempt::device_remark},
               RecordField{"seed", &Attempt::seed},
               RecordField{"build", &Attempt::build},
               RecordField{"report", &Attempt::report},
               RecordField{"sources", &Attempt::sources},
               RecordField{"started", &Attempt::started},
               RecordField{"build_seconds", &Attempt::build_seconds},
               RecordField{"checks_seconds", &Attempt::checks_seconds}};

// Its cases are those of the report: CaseReferences.
template <>
inline constexpr auto kFieldsOf<CriterionGrade> =
    std::tuple{RecordField{"id", &CriterionGrade::id},
               RecordField{"name", &CriterionGrade::name},
               RecordField{"points", &CriterionGrade::points},
               RecordField{"max_points", &CriterionGrade::max_points},
               RecordField{"verdict", &CriterionGrade::verdict},
               RecordField{"reason", &CriterionGrade::reason}};

// Its criteria and what is for information hold such cases, too.
template <>
inline constexpr auto kFieldsOf<Grade> = std::tuple{
    RecordField{"attempt", &Grade::attempt}, RecordField{"title", &Grade::title},
    RecordField{"score", &Grade::score},     RecordField{"max_score", &Grade::max_score},
    RecordField{"verdict", &Grade::verdict}, RecordField{"score_is_final", &Grade::score_is_final}};

namespace {

using nlohmann::json;

// Each as its place in the report, or as itself where the report has none like it.
json CaseReferences(const std::vector<CaseResult>& cases, const ChecksReport& report) {
  json references = json::array();
  for (const CaseResult& result : cases) {
    const auto found = std::ranges::find(report.cases, result);
    if (found == report.cases.end()) {
      references.emplace_back(ToJson(result));
    } else {
      references.push_back(found - report.cases.begin());
    }
  }
  return references;
}

std::vector<CaseResult> CasesFrom(const json& references, const ChecksReport& report) {
  std::vector<CaseResult> cases;
  for (const json& reference : references) {
    if (reference.is_object()) {
      cases.push_back(FromJson<CaseResult>(reference));
      continue;
    }
    const auto place = reference.get<std::size_t>();
    if (place >= report.cases.size()) throw std::runtime_error("a criterion names no case");
    cases.push_back(report.cases[place]);
  }
  return cases;
}

}  // namespace

json ToJson(const Grade& grade) {
  const ChecksReport& report = grade.attempt.report;
  json object = ToJson<Grade>(grade);
  json& criteria = object["criteria"] = json::array();
  for (const CriterionGrade& criterion : grade.criteria) {
    criteria.emplace_back(ToJson(criterion));
    criteria.back()["cases"] = CaseReferences(criterion.cases, report);
  }
  object["information"] = CaseReferences(grade.information, report);
  return object;
}

Grade GradeFrom(const json& object) {
  auto grade = FromJson<Grade>(object);
  const ChecksReport& report = grade.attempt.report;
  for (const json& criterion : ArrayField(object, "criteria")) {
    grade.criteria.push_back(FromJson<CriterionGrade>(criterion));
    grade.criteria.back().cases = CasesFrom(ArrayField(criterion, "cases"), report);
  }
  grade.information = CasesFrom(ArrayField(object, "information"), report);
  return grade;
}

}  // namespace warpcheck

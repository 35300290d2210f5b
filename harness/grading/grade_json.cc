#include "grading/grade_json.h"

#include <algorithm>

#include "base/json_fields.h"
#include "device/record_json.h"
#include "results/results_json.h"

namespace warpcheck {
namespace {

using nlohmann::json;

json ToJson(const build::Outcome& outcome) {
  if (outcome.error) {
    return {{"log", outcome.error->log},
            {"where", ToJson(outcome.error->where)},
            {"message", outcome.error->message}};
  }
  if (!outcome.artifact) return json::object();
  return {{"shared_object", outcome.artifact->shared_object.string()},
          {"sources", outcome.artifact->sources},
          {"warnings", outcome.artifact->warnings},
          {"from_cache", outcome.artifact->from_cache}};
}

build::Outcome OutcomeFrom(const json& object) {
  build::Outcome outcome;
  if (object.contains("log")) {
    outcome.error = build::CompileError{.log = StringField(object, "log"),
                                        .where = LocationFrom(Field(object, "where")),
                                        .message = StringField(object, "message")};
    return outcome;
  }
  if (object.empty()) return outcome;
  build::Artifact& artifact = outcome.artifact.emplace();
  artifact.shared_object = StringField(object, "shared_object");
  artifact.sources = Field(object, "sources").get<std::vector<std::string>>();
  artifact.warnings = StringField(object, "warnings");
  artifact.from_cache = Field(object, "from_cache").get<bool>();
  return outcome;
}

json ToJson(const Attempt& attempt) {
  return {{"assignment", attempt.assignment},
          {"submission", attempt.submission},
          {"device", attempt.device},
          {"device_remark", attempt.device_remark},
          {"seed", attempt.seed},
          {"build", ToJson(attempt.build)},
          {"report", ToJson(attempt.report)},
          {"sources", attempt.sources},
          {"started", attempt.started},
          {"build_seconds", attempt.build_seconds},
          {"checks_seconds", attempt.checks_seconds}};
}

Attempt AttemptFrom(const json& object) {
  Attempt attempt;
  attempt.assignment = StringField(object, "assignment");
  attempt.submission = StringField(object, "submission");
  attempt.device = StringField(object, "device");
  attempt.device_remark = StringField(object, "device_remark");
  attempt.seed = UnsignedField(object, "seed");
  attempt.build = OutcomeFrom(Field(object, "build"));
  attempt.report = ChecksReportFrom(Field(object, "report"));
  attempt.sources = Field(object, "sources").get<std::map<std::string, std::string>>();
  attempt.started = IntegerField<std::int64_t>(object, "started");
  attempt.build_seconds = RealField(object, "build_seconds");
  attempt.checks_seconds = RealField(object, "checks_seconds");
  return attempt;
}

// Each as its place in the report, or as itself where the report has none like it.
json CaseReferences(const std::vector<CaseResult>& cases, const ChecksReport& report) {
  json references = json::array();
  for (const CaseResult& result : cases) {
    const auto found = std::ranges::find(report.cases, result);
    if (found == report.cases.end()) {
      references.push_back(ToJson(result));
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
      cases.push_back(CaseResultFrom(reference));
      continue;
    }
    const auto place = reference.get<std::size_t>();
    if (place >= report.cases.size()) throw std::runtime_error("a criterion names no case");
    cases.push_back(report.cases[place]);
  }
  return cases;
}

json ToJson(const CriterionGrade& criterion, const ChecksReport& report) {
  return {{"id", criterion.id},
          {"name", criterion.name},
          {"points", criterion.points.hundredths()},
          {"max_points", criterion.max_points.hundredths()},
          {"verdict", Name(criterion.verdict)},
          {"reason", criterion.reason},
          {"cases", CaseReferences(criterion.cases, report)}};
}

Points PointsField(const json& object, const char* name) {
  return Points::FromHundredths(IntegerField<std::int64_t>(object, name));
}

CriterionGrade CriterionFrom(const json& object, const ChecksReport& report) {
  CriterionGrade criterion;
  criterion.id = StringField(object, "id");
  criterion.name = StringField(object, "name");
  criterion.points = PointsField(object, "points");
  criterion.max_points = PointsField(object, "max_points");
  criterion.verdict = NamedField<Verdict>(object, "verdict", VerdictNamed);
  criterion.reason = StringField(object, "reason");
  criterion.cases = CasesFrom(ArrayField(object, "cases"), report);
  return criterion;
}

}  // namespace

json ToJson(const Grade& grade) {
  const ChecksReport& report = grade.attempt.report;
  json criteria = json::array();
  for (const CriterionGrade& criterion : grade.criteria) {
    criteria.push_back(ToJson(criterion, report));
  }
  return {{"attempt", ToJson(grade.attempt)},
          {"title", grade.title},
          {"score", grade.score.hundredths()},
          {"max_score", grade.max_score.hundredths()},
          {"verdict", Name(grade.verdict)},
          {"criteria", std::move(criteria)},
          {"information", CaseReferences(grade.information, report)},
          {"score_is_final", grade.score_is_final}};
}

Grade GradeFrom(const json& object) {
  Grade grade;
  grade.attempt = AttemptFrom(Field(object, "attempt"));
  const ChecksReport& report = grade.attempt.report;
  grade.title = StringField(object, "title");
  grade.score = PointsField(object, "score");
  grade.max_score = PointsField(object, "max_score");
  grade.verdict = NamedField<Verdict>(object, "verdict", VerdictNamed);
  for (const json& criterion : ArrayField(object, "criteria")) {
    grade.criteria.push_back(CriterionFrom(criterion, report));
  }
  grade.information = CasesFrom(ArrayField(object, "information"), report);
  grade.score_is_final = Field(object, "score_is_final").get<bool>();
  return grade;
}

}  // namespace warpcheck

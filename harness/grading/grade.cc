#include "grading/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text/glob.h"
#include "device/record_json.h"
#include "grading/rubric.h"
#include "results/results.h"

namespace warpcheck {
namespace {

using nlohmann::json;

// Grades a criterion when its result is needed, because a criterion may require one that is listed
// after it.
class CriteriaGrader {
 public:
  CriteriaGrader(const Rubric& rubric, const Attempt& attempt)
      : rubric_(rubric), attempt_(attempt), grades_(rubric.criteria.size()) {}

  std::vector<CriterionGrade> All() {
    std::vector<CriterionGrade> all;
    for (std::size_t i = 0; i < grades_.size(); ++i) all.push_back(Of(i));
    return all;
  }

 private:
  const CriterionGrade& Of(std::size_t index) {
    if (!grades_[index]) grades_[index] = Judge(rubric_.criteria[index]);
    return *grades_[index];
  }

  CriterionGrade Judge(const Criterion& criterion) {
    CriterionGrade grade;
    grade.id = criterion.id;
    grade.name = criterion.name;
    grade.max_points = criterion.points;
    grade.hidden = criterion.hidden;
    if (!attempt_.build.artifact) {
      grade.verdict = Verdict::kError;
      grade.reason = "the submission does not compile";
      return grade;
    }
    for (const CaseResult& result : attempt_.report.cases) {
      if (criterion.Matches(result.name)) grade.cases.push_back(result);
    }
    const auto unmatched =
        std::ranges::find_if_not(criterion.tests, [&](const std::string& pattern) {
          return std::ranges::any_of(attempt_.report.cases, [&](const CaseResult& result) {
            return FilterMatches(pattern, result.name);
          });
        });
    if (unmatched != criterion.tests.end()) {
      grade.verdict = Verdict::kHarnessFault;
      grade.reason = fmt::format("the rubric's pattern \"{}\" matches no test", *unmatched);
    } else if (!rubric_.gpu_judges && MeasuresSpeed(grade)) {
      grade.verdict = Verdict::kHarnessFault;
      grade.reason =
          "tests of speed have no points unless the rubric says device = \"gpu\", because a grade "
          "is the same on every machine";
    } else if (!BlockedByRequirement(criterion, grade)) {
      Score(criterion, grade);
    }
    return grade;
  }

  static bool MeasuresSpeed(const CriterionGrade& grade) {
    return std::ranges::any_of(grade.cases,
                               [](const CaseResult& result) { return result.speed.has_value(); });
  }

  bool BlockedByRequirement(const Criterion& criterion, CriterionGrade& grade) {
    for (const std::size_t required : criterion.required) {
      const CriterionGrade& other = Of(required);
      if (other.verdict == Verdict::kPassed) continue;
      grade.verdict = IsUndecided(other.verdict) ? Verdict::kNotMeasured : Verdict::kSkipped;
      grade.reason = fmt::format("counts only once \"{}\" is earned", other.name);
      return true;
    }
    return false;
  }

  // Handles cases that could not be judged. If most cases of the criterion could be judged, these
  // cases do not count, because their loss belongs to another criterion. A program for which most
  // cases could not be judged has not earned the criterion. A case that counts work stays lost,
  // because targets have few shapes.
  static bool SaysNothing(const CaseResult& result) {
    return result.verdict == Verdict::kSkipped && result.targets.empty();
  }

  static void Score(const Criterion& criterion, CriterionGrade& grade) {
    std::vector<const CaseResult*> judged;
    for (const CaseResult& result : grade.cases) {
      if (!SaysNothing(result)) judged.push_back(&result);
    }
    const auto unjudged = std::ranges::find_if(grade.cases, &SaysNothing);
    if (2 * judged.size() < grade.cases.size()) {
      grade.verdict = Verdict::kSkipped;
      grade.reason = unjudged->complaints.front().message;
      return;
    }
    const CaseResult& worst = **std::ranges::max_element(judged, {}, &CaseResult::verdict);
    grade.verdict = worst.verdict;
    if (grade.verdict == Verdict::kSkipped) grade.reason = worst.complaints.front().message;
    const auto passed = std::ranges::count(judged, Verdict::kPassed, &CaseResult::verdict);
    const auto cases = std::ssize(judged);
    if (criterion.partial || passed == cases) grade.points = criterion.points.Share(passed, cases);
  }

  const Rubric& rubric_;
  const Attempt& attempt_;
  std::vector<std::optional<CriterionGrade>> grades_;
};

// Returns each case as its index in the report, or as the case itself if the report does not
// contain it.
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

std::string GradedWith(const Attempt& attempt) {
  const std::string toolkit = attempt.build.artifact ? attempt.build.artifact->toolkit : "";
  return toolkit.empty() ? attempt.version : fmt::format("{}, CUDA {}", attempt.version, toolkit);
}

bool IsUndecided(Verdict verdict) {
  using enum Verdict;
  return IsOneOf(verdict, kNotMeasured, kHarnessFault);
}

const Finding* NotOffered(const ChecksReport& report) {
  for (const CaseFinding& one : report.findings) {
    if (IsNotOffered(one.finding.kind)) return &one.finding;
  }
  for (const CaseLaunch& launch : report.launches) {
    for (const Finding& finding : launch.record.findings) {
      if (IsNotOffered(finding.kind)) return &finding;
    }
  }
  return nullptr;
}

Grade GradeOf(const Rubric& rubric, Attempt attempt) {
  Grade grade;
  grade.title = rubric.title;
  grade.max_score = rubric.Total();
  grade.criteria = CriteriaGrader(rubric, attempt).All();
  grade.verdict = Verdict::kPassed;
  grade.score_is_final = true;
  for (const CriterionGrade& criterion : grade.criteria) {
    grade.score += criterion.points;
    grade.verdict = std::max(grade.verdict, criterion.verdict);
    if (criterion.max_points > Points() && IsUndecided(criterion.verdict)) {
      grade.score_is_final = false;
    }
  }
  if (attempt.witness && attempt.witness->contradicts()) grade.score_is_final = false;
  if (grade.score < grade.max_score && NotOffered(attempt.report) != nullptr) {
    grade.score_is_final = false;
  }
  grade.hidden_max = rubric.hidden_points;
  for (const CaseResult& result : attempt.report.cases) {
    if (grade.hidden_max != Points()) break;  // it may be a test of a hidden criterion
    const bool graded = std::ranges::any_of(rubric.criteria, [&](const Criterion& criterion) {
      return criterion.Matches(result.name);
    });
    if (!graded) grade.information.push_back(result);
  }
  grade.attempt = std::move(attempt);
  return grade;
}

template <>
struct JsonOf<Points> {
  static nlohmann::ordered_json To(Points points) { return points.hundredths(); }
  static Points From(const nlohmann::json& value, const char* name) {
    return Points::FromHundredths(IntegerIn<std::int64_t>(value, name));
  }
};

WARPCHECK_FIELDS(Attempt, version, assignment, submission, device, device_remark, seed, build,
                 report, witness, sources, started, build_seconds, checks_seconds);

// The cases are stored as references into the report (CaseReferences).
WARPCHECK_FIELDS(CriterionGrade, id, name, points, max_points, verdict, reason);
WARPCHECK_FIELDS_IF_CHANGED(CriterionGrade, hidden);

// Criteria and information also store references to cases.
WARPCHECK_FIELDS(Grade, attempt, title, score, max_score, verdict, score_is_final);
WARPCHECK_FIELDS_IF_CHANGED(Grade, hidden_max);

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

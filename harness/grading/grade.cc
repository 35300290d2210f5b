#include "grading/grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "grading/rubric.h"

namespace warpcheck {
namespace {

// Grades criteria on demand, since one may require another that stands below it.
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
    if (!attempt_.build.artifact) {
      grade.verdict = Verdict::kError;
      grade.reason = "the submission does not compile";
      return grade;
    }
    for (const CaseResult& result : attempt_.report.cases) {
      if (criterion.Matches(result.name)) grade.cases.push_back(result);
    }
    if (const auto pattern = UnmatchedPattern(criterion)) {
      grade.verdict = Verdict::kHarnessFault;
      grade.reason = fmt::format("the rubric's pattern \"{}\" matches no test", *pattern);
    } else if (!BlockedByRequirement(criterion, grade)) {
      Score(criterion, grade);
    }
    return grade;
  }

  std::optional<std::string> UnmatchedPattern(const Criterion& criterion) const {
    for (const std::string& pattern : criterion.tests) {
      const bool matches = std::ranges::any_of(
          attempt_.report.cases,
          [&](const CaseResult& result) { return FilterMatches(pattern, result.name); });
      if (!matches) return pattern;
    }
    return std::nullopt;
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

  static void Score(const Criterion& criterion, CriterionGrade& grade) {
    const CaseResult& worst = *std::ranges::max_element(grade.cases, {}, &CaseResult::verdict);
    grade.verdict = worst.verdict;
    if (grade.verdict == Verdict::kSkipped) grade.reason = worst.complaints.front().message;
    const auto passed = std::ranges::count(grade.cases, Verdict::kPassed, &CaseResult::verdict);
    const auto cases = std::ssize(grade.cases);
    if (criterion.partial || passed == cases) grade.points = criterion.points.Share(passed, cases);
  }

  const Rubric& rubric_;
  const Attempt& attempt_;
  std::vector<std::optional<CriterionGrade>> grades_;
};

}  // namespace

bool IsUndecided(Verdict verdict) {
  return verdict == Verdict::kNotMeasured || verdict == Verdict::kInvalidReference ||
         verdict == Verdict::kHarnessFault;
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
  for (const CaseResult& result : attempt.report.cases) {
    const bool graded = std::ranges::any_of(rubric.criteria, [&](const Criterion& criterion) {
      return criterion.Matches(result.name);
    });
    if (!graded) grade.information.push_back(result);
  }
  grade.attempt = std::move(attempt);
  return grade;
}

}  // namespace warpcheck

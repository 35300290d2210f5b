#include "batch/ungraded.h"

namespace warpcheck::batch {

Grade FaultGrade(const Rubric& rubric, Attempt attempt, const std::string& reason) {
  Grade grade;
  grade.title = rubric.title;
  grade.max_score = rubric.Total();
  for (const Criterion& criterion : rubric.criteria) {
    CriterionGrade& fault = grade.criteria.emplace_back();
    fault.id = criterion.id;
    fault.name = criterion.name;
    fault.max_points = criterion.points;
    fault.verdict = Verdict::kHarnessFault;
    fault.reason = reason;
  }
  grade.attempt = std::move(attempt);
  return grade;
}

Grade RefusalGrade(const Rubric& rubric, Attempt attempt, const Error& why) {
  build::CompileError& error = attempt.build.error.emplace();
  error.message = why.message;
  error.log = why.Text() + "\n";
  return GradeOf(rubric, std::move(attempt));
}

}  // namespace warpcheck::batch

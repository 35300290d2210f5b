#include "batch/work/ungraded.h"

#include <utility>

namespace warpcheck::batch {

Attempt AttemptOf(const BatchIdentity& identity, const std::string& shown) {
  Attempt attempt;
  attempt.assignment = identity.assignment;
  attempt.submission = shown;
  attempt.device = identity.plan.device;
  attempt.device_remark = identity.plan.device_remark;
  attempt.seed = identity.plan.seed;
  attempt.started = identity.begun;
  return attempt;
}

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
  compile::CompileError& error = attempt.build.error.emplace();
  error.message = why.message;
  error.log = why.Text() + "\n";
  return GradeOf(rubric, std::move(attempt));
}

}  // namespace warpcheck::batch

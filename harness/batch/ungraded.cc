#include "batch/ungraded.h"

#include <vector>

#include "batch/names.h"
#include "grading/rubric.h"

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

Result<std::size_t> Reopen(Journal& journal, const std::string& glob) {
  std::vector<std::string> open;
  for (const auto& [id, graded] : journal.state().graded) {
    if (GlobMatches(glob, StudentOf(id))) open.push_back(id);
  }
  const std::size_t before = journal.state().graded.size();
  for (const std::string& id : open) {
    if (!journal.state().graded.contains(id)) continue;  // of the same files as one before
    WARPCHECK_TRY(journal.Reopened(id));
  }
  return before - journal.state().graded.size();
}

}  // namespace warpcheck::batch

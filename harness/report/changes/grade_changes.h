// Says what changed between two grades of a submission.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

// Returns sentences about the score, the criteria that were gained and lost, and the complaints
// that are gone and new, in this order. A complaint of the same criterion that differs only in
// numbers, or in its line, is the same. `before` must have been compiled; if `now` does not
// compile, only this is said. Both grades should have one seed, because other inputs may cause
// other complaints.
std::vector<std::string> GradeChanges(const Grade& before, const Grade& now);

}  // namespace warpcheck

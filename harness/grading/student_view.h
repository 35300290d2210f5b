// Takes out of a grade what students may not see: the criteria that the rubric hides.
#pragma once

#include "grading/grade.h"

namespace warpcheck {

// Returns whether a student may not see all of this grade.
bool HidesSomething(const Grade& grade);

// Returns the grade as a student sees it. Score, maximum and verdict are those of the criteria that
// are shown. The hidden ones become one criterion, which says only how many points they carry. All
// that comes from tests of hidden criteria alone is left out: complaints, launches, findings,
// timelines, what a GPU saw. So is the submission's output, because it could print the inputs of
// those tests. A grade without hidden criteria stays as it is.
Grade StudentView(Grade grade);

// Returns the grade with nothing hidden, for the staff.
Grade StaffView(Grade grade);

}  // namespace warpcheck

// Makes the grades of submissions for which no grader has finished.
#pragma once

#include <string>

#include "base/result.h"
#include "batch/journal/identity.h"
#include "grading/grade.h"
#include "grading/rubric.h"

namespace warpcheck::batch {

// Returns the attempt at a submission of this batch before anything has been built or run. `shown`
// is the name of the submission in reports.
Attempt AttemptOf(const BatchIdentity& identity, const std::string& shown);

// Returns a grade with a harness fault in every criterion, for a person to look at.
Grade FaultGrade(const Rubric& rubric, Attempt attempt, const std::string& reason);

// Returns the grade of a submission that cannot be compiled because of a mistake of its own: it has
// no file, is too large, or has a name that is not allowed. `why` replaces the compiler's errors.
Grade RefusalGrade(const Rubric& rubric, Attempt attempt, const Error& why);

}  // namespace warpcheck::batch

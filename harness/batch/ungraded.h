// Grades of submissions that no grader came to an end with. `attempt` says which, on what device
// and with what seed.
#pragma once

#include <string>

#include "grading/grade.h"

namespace warpcheck::batch {

// Nothing is known of it: harness fault everywhere, for a person to look at.
Grade FaultGrade(const Rubric& rubric, Attempt attempt, const std::string& reason);

// It cannot be compiled, and that is its own fault: no file, too large, an odd name.
Grade RefusalGrade(const Rubric& rubric, Attempt attempt, const Error& why);

}  // namespace warpcheck::batch

// Grades of submissions that no grader came to an end with. `attempt` says which, on what device
// and with what seed.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "batch/journal.h"
#include "grading/grade.h"

namespace warpcheck::batch {

// Nothing is known of it: harness fault everywhere, for a person to look at.
Grade FaultGrade(const Rubric& rubric, Attempt attempt, const std::string& reason);

// It cannot be compiled, and that is its own fault: no file, too large, an odd name.
Grade RefusalGrade(const Rubric& rubric, Attempt attempt, const Error& why);

// Grading again, once a person has looked at why.

// Forgets the grades of ids that match the glob, whatever they are, and of all who handed in the
// same files, so that the next Batch grades them anew, past what was built before. Returns how
// many.
Result<std::size_t> Reopen(Journal& journal, const std::string& glob);

}  // namespace warpcheck::batch

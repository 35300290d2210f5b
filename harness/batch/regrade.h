// Grading again what has no final score, once a person has looked at why.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "batch/journal.h"

namespace warpcheck::batch {

// Forgets the grades, of ids that match the glob, whose score is not final (a harness fault, or
// something was not measured), so that the next Batch grades them. Returns how many. Final scores
// stay, whatever they are.
Result<std::size_t> ReopenUnfinal(Journal& journal, const std::string& glob);

}  // namespace warpcheck::batch

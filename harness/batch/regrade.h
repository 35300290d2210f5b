// Grading again, once a person has looked at why.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "batch/journal.h"

namespace warpcheck::batch {

// Forgets the grades of ids that match the glob, whatever they are, and of all who handed in the
// same files, so that the next Batch grades them anew, past what was built before. Returns how
// many.
Result<std::size_t> Reopen(Journal& journal, const std::string& glob);

}  // namespace warpcheck::batch

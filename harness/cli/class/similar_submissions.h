// `warpcheck batch --similar`: which submissions of a batch are alike.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "batch/journal.h"
#include "grading/rubric.h"

namespace warpcheck {

// Compares the submissions of the journal's roster, and writes similar.html, similar.csv and
// similar/ into the batch's folder. PTX comes from the build cache, and from nvcc where it is not
// there any more. Fails where files cannot be written, or PTX cannot be had because of this
// machine.
Result<> FindSimilar(const std::filesystem::path& out, const Rubric& rubric,
                     const batch::JournalState& state);

}  // namespace warpcheck

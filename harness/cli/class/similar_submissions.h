// Looks for submissions that are alike, for `warpcheck batch --similar`.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "batch/journal/journal.h"
#include "grading/rubric.h"

namespace warpcheck {

// Compares the submissions of the journal's roster, and writes similar.html, similar.csv and
// similar/ into the batch's folder. PTX comes from the build cache or, if it is not there, from
// nvcc. Fails if files cannot be written, or if this machine cannot compile.
Result<> FindSimilar(const std::filesystem::path& out, const Rubric& rubric,
                     const batch::JournalState& state);

}  // namespace warpcheck

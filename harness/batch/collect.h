// From a hand-in to a folder that can be graded.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "batch/layout.h"

namespace warpcheck::batch {

// Copies what nvcc may read of a hand-in into `folder`, which is made: its sources, under their
// names; of a hand-in without a .cu file, those of the one archive in it. Archives are unpacked
// into `unpacked`, one in another at most three deep. Returns the one .cu file where there is
// nothing else, or `folder`. An Error's message says why the hand-in is refused.
Result<std::filesystem::path> Collect(const HandIn& hand_in, const std::filesystem::path& folder,
                                      const std::filesystem::path& unpacked);

}  // namespace warpcheck::batch

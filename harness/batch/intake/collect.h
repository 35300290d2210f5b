// Copies the sources of a hand-in into a folder that can be graded.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "batch/intake/layout.h"

namespace warpcheck::batch {

// Copies the sources of a hand-in (IsSource) into `folder`, which it creates, under their own
// names. If there is no .cu file but one archive, copies the sources of that archive. Archives are
// unpacked into `unpacked`, up to three inside each other. Returns the file if it is a single .cu
// file, otherwise `folder`. The message of an Error says why the hand-in is refused.
Result<std::filesystem::path> Collect(const HandIn& hand_in, const std::filesystem::path& folder,
                                      const std::filesystem::path& unpacked);

}  // namespace warpcheck::batch

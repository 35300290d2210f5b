// From a hand-in to a folder that can be graded.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "batch/layout.h"
#include "compile/builder.h"
#include "compile/sources.h"

namespace warpcheck::batch {

// The files of a submission as they are graded, and what tells them from others.

// The files within a submission's bounds (compile/sources.h). One .cu file and nothing else is
// called
// `<assignment>.cu`, whatever the platform called it: equal files then have equal reports, and none
// names another student.
Result<compile::Sources> ReadSubmission(const std::filesystem::path& submission,
                                        const std::string& assignment);

// SHA-256 of names and bytes: equal for submissions that are graded alike.
std::string DigestOf(const compile::Sources& sources);

// Writes the files below `folder`, which is emptied first, and returns what is to be graded there.
Result<std::filesystem::path> Stage(const compile::Sources& sources,
                                    const std::filesystem::path& folder);

// Copies what nvcc may read of a hand-in into `folder`, which is made: its sources, under their
// names; of a hand-in without a .cu file, those of the one archive in it. Archives are unpacked
// into `unpacked`, one in another at most three deep. Returns the one .cu file where there is
// nothing else, or `folder`. An Error's message says why the hand-in is refused.
Result<std::filesystem::path> Collect(const HandIn& hand_in, const std::filesystem::path& folder,
                                      const std::filesystem::path& unpacked);

}  // namespace warpcheck::batch

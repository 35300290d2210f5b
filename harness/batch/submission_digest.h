// The files of a submission as they are graded, and what tells them from others.
#pragma once

#include <filesystem>
#include <string>

#include "build/build.h"
#include "build/sources.h"

namespace warpcheck::batch {

// The files within a submission's bounds (build/sources.h). One .cu file and nothing else is called
// `<assignment>.cu`, whatever the platform called it: equal files then have equal reports, and none
// names another student.
Result<build::Sources> ReadSubmission(const std::filesystem::path& submission,
                                      const std::string& assignment);

// SHA-256 of names and bytes: equal for submissions that are graded alike.
std::string DigestOf(const build::Sources& sources);

// Writes the files below `folder`, which is emptied first, and returns what is to be graded there.
Result<std::filesystem::path> Stage(const build::Sources& sources,
                                    const std::filesystem::path& folder);

}  // namespace warpcheck::batch

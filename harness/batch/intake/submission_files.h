// These functions handle the files of a submission in the form in which they are graded and
// compared.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "compile/source/sources.h"

namespace warpcheck::batch {

// Reads a submission's files; fails beyond the limits of compile/source/sources.h. A single .cu
// file is named `<assignment>.cu`, whatever its name on the platform was. Therefore equal files
// have equal reports, and no report names another student.
Result<compile::Sources> ReadSubmission(const std::filesystem::path& submission,
                                        const std::string& assignment);

// Returns the SHA-256 of all names and bytes. It is equal for submissions that are graded alike.
std::string DigestOf(const compile::Sources& sources);

// Empties `folder` and writes the files into it. Returns the path that is graded: the file if there
// is only one, otherwise the folder.
Result<std::filesystem::path> Stage(const compile::Sources& sources,
                                    const std::filesystem::path& folder);

}  // namespace warpcheck::batch

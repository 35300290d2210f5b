// Writes the arrays of a case to files: as text, as a picture, and for NumPy.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "results/array_dump.h"

namespace warpcheck {

// Writes the files to a folder for each case in `folder`, which is made if it is missing. Returns a
// line for each array that says what was written, or why it was not.
Result<std::vector<std::string>> WriteArrays(const std::vector<ArrayDump>& dumps,
                                             const std::filesystem::path& folder);

}  // namespace warpcheck

// Finds the file that this code is in.
#pragma once

#include <filesystem>

namespace warpcheck {

// Returns the path of the file that contains this function: libwarpcheck.so, or the program if it
// contains all of the harness.
std::filesystem::path HarnessFile();

}  // namespace warpcheck

#pragma once

#include <filesystem>

namespace warpcheck {

// The file that this function is in: libwarpcheck.so, or a program that holds all of the harness.
std::filesystem::path HarnessFile();

}  // namespace warpcheck

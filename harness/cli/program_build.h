// A .cu file to a program for `warpcheck run`, by nvcc, kept in a cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct ProgramSource {
  std::filesystem::path file;      // ends in .cu
  std::vector<std::string> flags;  // for nvcc, after warpcheck's own
};

// The program, built anew where the file, a header of the program's own, the flags or the compiler
// have changed. It is compiled where it lies, without a sandbox: it will be run without one too.
// What nvcc says goes to stderr. Fails where there is no nvcc, and where it fails.
Result<std::filesystem::path> BuildProgram(const ProgramSource& source,
                                           const std::filesystem::path& cache);

}  // namespace warpcheck

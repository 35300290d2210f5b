// Builds the .cu file of `warpcheck run` with nvcc, and keeps the program in a cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct ProgramSource {
  std::filesystem::path file;      // ends in .cu
  std::vector<std::string> flags;  // flags for nvcc, after warpcheck's own
};

struct BuiltProgram {
  std::filesystem::path path;
  std::string output;  // what nvcc said when it built the program
};

// Returns the program. Builds it again if the file, one of its own headers, the flags
// or the compiler have changed. Compiles it in its own folder and without a sandbox, because it
// will also run without one. nvcc's output goes to stderr. Fails if there is no nvcc, or if nvcc
// fails.
Result<BuiltProgram> BuildProgram(const ProgramSource& source, const std::filesystem::path& cache);

}  // namespace warpcheck

// Builds the .cu file of `warpcheck run` with nvcc, and keeps the program in a cache.
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

// Returns the program. It is built again if the file, one of its own headers, the flags or the
// compiler have changed. It is compiled where it lies and without a sandbox, since it will run
// without one too. nvcc's output goes to stderr. Fails if there is no nvcc, and if nvcc fails.
Result<std::filesystem::path> BuildProgram(const ProgramSource& source,
                                           const std::filesystem::path& cache);

}  // namespace warpcheck

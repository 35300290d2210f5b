// A .cu file to a program for `warpcheck run`, by nvcc, kept in a cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck {

// What an executable file says about the CUDA that is in it, without running it.

struct ProgramFile {
  bool elf = false;                    // 64-bit; false for a script, of which nothing more is known
  std::vector<std::string> libraries;  // that it is linked with, by name
  bool device_code = false;            // it holds a fat binary
  bool calls_runtime = false;          // it calls a CUDA runtime that lies outside of it

  bool LinkedWith(std::string_view prefix) const;  // a library whose name begins so
};

// Fails on a file that cannot be read, and on a damaged or 32-bit ELF file.
Result<ProgramFile> InspectProgram(const std::filesystem::path& path);

// The major version of the CUDA runtime that `warpcheck run` has to give the program; fails, with
// how to build it, where none would do: the runtime linked statically, the driver API alone, a
// version that we do not have.
Result<int> RuntimeFor(const ProgramFile& program, const std::string& name);

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

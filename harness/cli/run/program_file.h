// Reads from an executable file which CUDA it holds, without running it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct ProgramFile {
  bool elf = false;  // a 64-bit ELF file; false for a script, whose rest is unknown
  std::vector<std::string> libraries;  // names of the libraries that it is linked with
  bool device_code = false;            // it holds a fat binary
  bool calls_runtime = false;          // it calls a CUDA runtime in another library

  // Returns true if it is linked with a library whose name begins with `prefix`.
  bool LinkedWith(std::string_view prefix) const;
};

// Fails if the file cannot be read, and if it is a damaged or a 32-bit ELF file.
Result<ProgramFile> InspectProgram(const std::filesystem::path& path);

// Returns the major version of the CUDA runtime that `warpcheck run` has to provide. Fails, with
// how to build the program, if no runtime can be provided: if its runtime is linked statically, if
// it uses the driver API alone, or if it needs another version.
Result<int> RuntimeFor(const ProgramFile& program, const std::string& name);

}  // namespace warpcheck

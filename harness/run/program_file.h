// Finds out how an executable file uses CUDA, without running it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck::run {

struct ProgramFile {
  // True for a 64-bit ELF file; false for a script, for which the other fields are unknown.
  bool elf = false;
  std::vector<std::string> libraries;  // names of the libraries that it is linked with
  bool device_code = false;            // true if it contains a fat binary
  bool calls_runtime = false;          // true if it calls a CUDA runtime in another library

  // Returns true if the program is linked with a library whose name begins with `prefix`.
  bool LinkedWith(std::string_view prefix) const;
  // Returns true if its code for the device is used by a runtime that is linked into it.
  bool has_own_runtime() const { return device_code && !calls_runtime; }
};

// Fails if the file cannot be read, and if it is a damaged or a 32-bit ELF file.
Result<ProgramFile> InspectProgram(const std::filesystem::path& path);

}  // namespace warpcheck::run

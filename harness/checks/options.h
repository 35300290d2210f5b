// The command line of a checks program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct ChecksOptions {
  std::filesystem::path shared_object;
  std::filesystem::path submission_host;
  std::vector<std::string> student_sources;  // as in the PTX's .file table
  std::filesystem::path results;
  std::uint64_t seed = 0;
  std::string device = "emulator";
  bool no_sandbox = false;
  std::optional<std::uint64_t> order_seed;                 // emulator only
  std::filesystem::path gpu_host;                          // for device "gpu"
  std::optional<std::filesystem::path> compute_sanitizer;  // GPU: none without
  bool count_every_launch = false;                         // also where no case asks for it
  bool no_memcheck = false;                                // GPU: not even where there is one
  std::optional<std::filesystem::path> kernel_resources;   // what ptxas gives its kernels
  std::optional<std::filesystem::path> references;         // a ReferenceStore's folder
};

// What GoogleTest left of the command line. The error's message names the option; --help is an
// error with the usage as its message.
Result<ChecksOptions> ParseChecksOptions(int argc, const char* const* argv);

}  // namespace warpcheck

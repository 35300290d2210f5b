// Finds nvcc on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpcheck {

// The nvcc that is used, and the reason.
struct ChosenNvcc {
  std::filesystem::path path;
  std::string why;  // such as "CUDA_HOME names it"
};

// Returns the first nvcc that is found in these places: in CUDA_HOME; in the packages that
// the extra `toolkit` of warpcheck's wheel installs beside it; where it was when warpcheck was
// built; on PATH; in /usr/local/cuda.
std::optional<ChosenNvcc> ChooseNvcc();

// Returns the path of that nvcc. Fails if there is no nvcc; the error says how to install one.
Result<std::filesystem::path> Nvcc();

// Runs `program --version`. Returns the line of its output that contains `mark`, starting with the
// mark; empty if there is no such line.
std::string VersionOf(const std::filesystem::path& program, std::string_view mark);

}  // namespace warpcheck

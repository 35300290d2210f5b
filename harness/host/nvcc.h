// Finds nvcc on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpcheck {

// The nvcc that is used, and why.
struct ChosenNvcc {
  std::filesystem::path path;
  std::string why;  // "CUDA_HOME names it"
};

// Returns the first nvcc that is found: in CUDA_HOME; in the wheels that `pip install
// warpcheck[toolkit]` installs, beside the one that holds this program; where it was when warpcheck
// was built; on PATH; in /usr/local/cuda.
std::optional<ChosenNvcc> ChooseNvcc();

// Returns the path of that nvcc; fails, with how to install one, if there is none.
Result<std::filesystem::path> Nvcc();

// Runs `program --version` and returns the line of its output that holds `mark`, from there on;
// empty if there is none.
std::string VersionOf(const std::filesystem::path& program, std::string_view mark);

}  // namespace warpcheck

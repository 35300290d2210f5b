// Where programs are on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace warpcheck {

// In an absolute folder of PATH.
std::optional<std::filesystem::path> OnPath(std::string_view program);

// A program of the CUDA Toolkit: in CUDA_HOME, else on PATH, else in /usr/local/cuda.
std::optional<std::filesystem::path> FindCudaTool(std::string_view program);

}  // namespace warpcheck

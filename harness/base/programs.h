// Finds programs that are installed on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck {

// The variable's value; empty where it is not set.
std::string Environment(const char* name);

// True for a file that this user may execute.
bool IsExecutable(const std::filesystem::path& path);

// In an absolute folder of PATH.
std::optional<std::filesystem::path> OnPath(std::string_view program);

// Where pip unpacks NVIDIA's packages, site-packages/nvidia/cu13, for the programs of a wheel of
// warpcheck, site-packages/warpcheck/installed/lib/warpcheck/<this program>.
std::filesystem::path PythonToolkit();

// A program of the CUDA Toolkit: in CUDA_HOME, else on PATH, else in /usr/local/cuda.
std::optional<std::filesystem::path> FindCudaTool(std::string_view program);

}  // namespace warpcheck

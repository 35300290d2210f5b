// Whole files, read and written in one step.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/shared_bytes.h"

namespace warpcheck {

// The file's bytes. Fails on a missing or unreadable file, on anything but a regular file, and
// where the file is larger than `max_bytes`.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             std::size_t max_bytes = std::size_t{1} << 30);

// The same bytes where they lie in the system's cache, not copied: of a file that others may
// replace or remove, but never change or cut.
Result<SharedBytes> MapFile(const std::filesystem::path& path);

// Replaces `path` by a file of these bytes in one atomic step (a new file, renamed over the old). A
// symbolic link stays, and what it leads to is replaced; what is no regular file is written to.
Result<> WriteFile(const std::filesystem::path& path, std::string_view bytes);

// Where programs are on this machine.

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

// Finds programs that are installed on this machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck {

// Returns the value of an environment variable, or an empty text if the variable is not set.
std::string Environment(const char* name);

// Returns true for a file that this user may execute.
bool IsExecutable(const std::filesystem::path& path);

// Looks for a program in the folders of PATH that are absolute.
std::optional<std::filesystem::path> OnPath(std::string_view program);

// Returns the folder where pip unpacks NVIDIA's packages, site-packages/nvidia/cu13. Works only if
// this program comes from a wheel, as site-packages/warpcheck/installed/lib/warpcheck/<this
// program>.
std::filesystem::path PythonToolkit();

}  // namespace warpcheck

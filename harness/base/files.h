// These functions read and write whole files in one step.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace warpcheck {

// Returns the bytes of a file. Fails on a missing or unreadable file, on anything but a regular
// file, and on a file of more than `max_bytes`.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             std::size_t max_bytes = std::size_t{1} << 30);

// Replaces the file `path` by one with these bytes in one atomic step: it writes a new file and
// renames it over the old one. If `path` is a symbolic link, its target is replaced. A device or a
// pipe is written to.
Result<> WriteFile(const std::filesystem::path& path, std::string_view bytes);

}  // namespace warpcheck

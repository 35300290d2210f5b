// Whole files, read and written in one step.
#pragma once

#include <filesystem>
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

}  // namespace warpcheck

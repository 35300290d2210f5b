// Records the contents of a folder, to find out whether anything in it changed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpcheck::hostile {

// The size, time, rights and inode of each file, by path.
using Snapshot = std::map<std::string, std::string>;

// Leaves out everything below `left_out`.
Snapshot Take(const std::vector<std::filesystem::path>& folders,
              const std::vector<std::filesystem::path>& left_out);

// Returns lines such as "changed: a", "new: b" and "gone: c".
std::vector<std::string> Differences(const Snapshot& before, const Snapshot& after);

// Returns the files that hostile programs created anywhere below these folders. Does not follow
// links.
std::vector<std::string> Planted(const std::vector<std::filesystem::path>& folders);

}  // namespace warpcheck::hostile

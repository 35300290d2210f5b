// What a folder holds: to find out whether anything in it has changed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpcheck::hostile {

// Size, time, rights and inode by path. Without what lies below `left_out`.
using Snapshot = std::map<std::string, std::string>;

Snapshot Take(const std::vector<std::filesystem::path>& folders,
              const std::vector<std::filesystem::path>& left_out);

// "changed: a", "new: b", "gone: c"
std::vector<std::string> Differences(const Snapshot& before, const Snapshot& after);

// Files that hostile programs plant, anywhere below these folders, not following links.
std::vector<std::string> Planted(const std::vector<std::filesystem::path>& folders);

}  // namespace warpcheck::hostile

// Finds labs: the folders labs/<name>/ with a lab.toml of warpcheck and of each course.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::lab {

// Returns the folders of all labs, sorted by name. A lab of a course replaces one of warpcheck.
Result<std::vector<std::filesystem::path>> AllLabs();

// Returns the folder of the lab with this name. A text with a '/' is the path of the folder.
Result<std::filesystem::path> FindLab(const std::string& name);

}  // namespace warpcheck::lab

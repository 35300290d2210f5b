// Makes the set-ups of platforms that grade submissions themselves: the files that an instructor
// uploads, or copies into the course there.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "grading/rubric.h"

namespace warpcheck {

// Contents of files, by their path in a folder.
using HandoutFiles = std::map<std::filesystem::path, std::string>;

struct PlatformSource {
  std::string assignment;
  Rubric rubric;
  std::string bundle;    // the bundle that grades
  HandoutFiles student;  // the student's folder
};

// Returns the names of the platforms, such as "autolab".
std::vector<std::string> Platforms();
bool IsPlatform(std::string_view name);

// Returns the files of a platform's set-up. Fails if a template in CourseFiles() is missing or
// damaged.
Result<HandoutFiles> PlatformSetup(std::string_view platform, const PlatformSource& source);

}  // namespace warpcheck

// The command `warpcheck handout` makes the folder that a student of an assignment receives.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck {

struct HandoutOptions {
  std::string assignment;
  std::filesystem::path folder;  // the folder to create
  // The service whose CI file is added, or the platform whose set-up is made; empty for neither.
  std::string service;
  std::string
      wheel;  // where students and CI find warpcheck's wheel; empty if they are told elsewhere
};

// Returns kExitUsage if the folder is not empty, or if the assignment lacks a file that students
// receive.
int HandoutCommand(const HandoutOptions& options);

// Returns the names that --service accepts, such as "github".
std::vector<std::string> HandoutServices();

}  // namespace warpcheck

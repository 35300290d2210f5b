// The commands `warpcheck new` and `warpcheck build` begin a course or an assignment, and compile a
// course.
#pragma once

#include <filesystem>
#include <string>

namespace warpcheck {

struct NewOptions {
  std::filesystem::path course;  // a folder to create; empty to create an assignment
  std::string assignment;
};

// Returns kExitUsage if there is already a file, or if a name is not allowed.
int NewCommand(const NewOptions& options);

// Compiles the course in the current folder. Returns kExitFault if something does not compile.
int BuildCommand();

}  // namespace warpcheck

// The assignments of a course: one folder each, found by name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct Assignment {
  std::string name;
  std::filesystem::path rubric;  // <home>/assignments/<name>/rubric.toml
  std::filesystem::path header;  // <home>/assignments/<name>/<name>.h: the student's interface
  std::filesystem::path readme;  // <home>/assignments/<name>/README.md: the handout
  std::filesystem::path checks;  // <programs>/<name>_checks
};

// Every folder of <home>/assignments that holds a rubric, sorted by name. Fails where there is no
// such folder.
Result<std::vector<Assignment>> ListAssignments(const std::filesystem::path& home,
                                                const std::filesystem::path& programs);

// Fails with the names there are, and the one that was probably meant; and where one of the
// assignment's files is missing.
Result<Assignment> FindAssignment(const std::filesystem::path& home,
                                  const std::filesystem::path& programs, std::string_view name);

}  // namespace warpcheck

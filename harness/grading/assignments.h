// Finds the assignments of courses by name. Each assignment is a folder of its course, and
// warpcheck's own assignments are a course like any other.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct Course {
  std::filesystem::path home;      // contains assignments/, reference/, student_template/, tests/
  std::filesystem::path programs;  // the folder of its checks programs
  std::filesystem::path named{};   // the path that the user gave; empty if it is `home`
};

struct Assignment {
  std::string name;
  std::filesystem::path home;    // the home of its course
  std::filesystem::path course;  // the path that the user gave: the home, or a bundle (bundle.h)
  std::filesystem::path rubric;  // <home>/assignments/<name>/rubric.toml
  std::filesystem::path header;  // <home>/assignments/<name>/<name>.h: the student's interface
  std::filesystem::path readme;  // <home>/assignments/<name>/README.md: the text of the assignment
  std::filesystem::path checks;  // <programs>/<name>_checks
};

// Returns every folder of a course's assignments/ that contains a rubric, sorted by name. If two
// courses have an assignment of the same name, the first course counts. Fails if a course has no
// folder assignments/.
Result<std::vector<Assignment>> ListAssignments(const std::vector<Course>& courses);

// Returns the assignment with that name. If there is no such assignment, the error lists the names,
// and the name that was probably meant. Also fails if a file of the assignment is missing.
Result<Assignment> FindAssignment(const std::vector<Course>& courses, std::string_view name);

}  // namespace warpcheck

// The assignments of courses: one folder each, found by name. warpcheck's own are a course like any
// other.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct Course {
  std::filesystem::path home;      // holds assignments/, reference/, student_template/, tests/
  std::filesystem::path programs;  // where its checks programs are
  std::filesystem::path named{};   // as people know it; empty: its home
};

struct Assignment {
  std::string name;
  std::filesystem::path home;    // of its course
  std::filesystem::path course;  // as people know it: its home, or a bundle (bundle.h)
  std::filesystem::path rubric;  // <home>/assignments/<name>/rubric.toml
  std::filesystem::path header;  // <home>/assignments/<name>/<name>.h: the student's interface
  std::filesystem::path readme;  // <home>/assignments/<name>/README.md: the handout
  std::filesystem::path checks;  // <programs>/<name>_checks
};

// Every folder of a course's assignments/ that holds a rubric, sorted by name; of those with one
// name the first course's. Fails where a course has no such folder.
Result<std::vector<Assignment>> ListAssignments(const std::vector<Course>& courses);

// Fails with the names there are, and the one that was probably meant; and where one of the
// assignment's files is missing.
Result<Assignment> FindAssignment(const std::vector<Course>& courses, std::string_view name);

}  // namespace warpcheck

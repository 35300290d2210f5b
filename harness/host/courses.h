// Finds the courses whose assignments can be graded on this machine.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "grading/assignments.h"
#include "grading/rubric.h"

namespace warpcheck {

// Returns the courses in the order in which assignments are looked up:
// - the course that WARPCHECK_COURSE names: a folder, or a bundle whose SHA-256 WARPCHECK_TRUST
//   gives;
// - the installed or built course (Home());
// - the current folder. It may be a student's, so its checks never replace those of another course.
// The programs of a course are in its build/. Fails on a bundle that may not be used.
Result<std::vector<Course>> Courses();

// Finds an assignment in the courses by its name.
Result<Assignment> AssignmentNamed(std::string_view name);

// Reads and parses the assignment's rubric.
Result<Rubric> RubricOf(const Assignment& assignment);

}  // namespace warpcheck

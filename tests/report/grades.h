// Makes grades for the tests of the reports.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

struct NamedGrade {
  std::string name;  // the name of its golden files
  Grade grade;
};

// Returns one grade of every kind that a report must show.
std::vector<NamedGrade> TypicalGrades();

// Returns a grade with this many cases, in which every text of the submission and its author is
// hostile.
Grade HostileGrade(int cases = 2000);

}  // namespace warpcheck

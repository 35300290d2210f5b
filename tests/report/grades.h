// Grades as they come about, for the tests of the reports.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"

namespace warpcheck {

struct NamedGrade {
  std::string name;  // of its golden files
  Grade grade;
};

// One of every kind that a report has to show.
std::vector<NamedGrade> TypicalGrades();

// Everything that the submission or its author controls is as bad as it can be, in so many cases.
Grade HostileGrade(int cases = 2000);

}  // namespace warpcheck

// Makes grades for tests of the pages.
#pragma once

#include <string>

#include "grading/grade.h"

namespace warpcheck {

// Returns a grade whose page has a picture of each kind, and a source with a part in each
// colour.
Grade PicturedGrade();

// Returns markup that would run a script, load something or break out of its place, and
// characters that change the direction of writing.
std::string HostileText();

// Returns a grade in which each text of a submission is HostileText().
Grade HostilePageGrade();

}  // namespace warpcheck

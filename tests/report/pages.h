// Makes typical and hostile pages for tests.
#pragma once

#include <string>

#include "grading/grade.h"
#include "report/html/class_page.h"

namespace warpcheck {

ClassPage TypicalClass();

// Returns a grade whose page has a picture of each kind, and a source with a part in each
// colour.
Grade PicturedGrade();

// Returns markup that would run a script, load something or break out of its place, and
// characters that change the direction of writing.
std::string HostileText();

// Returns a grade in which each text of a submission is HostileText().
Grade HostilePageGrade();
ClassPage HostileClass();

}  // namespace warpcheck

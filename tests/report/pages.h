// Pages for tests: typical and hostile.
#pragma once

#include <string>

#include "grading/grade.h"
#include "report/class_page.h"

namespace warpcheck {

ClassPage TypicalClass();

// A page with a picture of each kind, and a source with something of everything that has a colour.
Grade PicturedGrade();

// Markup that would run a script, load something or break out of where it stands, and characters
// that turn the direction of writing.
std::string HostileText();

// Each text that comes from a submission is HostileText().
Grade HostilePageGrade();
ClassPage HostileClass();

}  // namespace warpcheck

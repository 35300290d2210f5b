// Makes grades and records of runs for tests of the pages.
#pragma once

#include <string>
#include <vector>

#include "grading/grade.h"
#include "run/journal.h"

namespace warpcheck {

// Returns a grade whose page has a picture of each kind, and a source with a part in each
// colour.
Grade PicturedGrade();

// Returns markup that would run a script, load something or break out of its place, and
// characters that change the direction of writing.
std::string HostileText();

// Returns a grade in which each text of a submission is HostileText().
Grade HostilePageGrade();

// Returns what a program under `warpcheck run` recorded, with everything that its page can show.
// Each text of the program is `text`.
std::vector<run::ProcessResult> PicturedRun(const std::string& text);

}  // namespace warpcheck

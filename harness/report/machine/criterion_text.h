// Writes the complaints of a criterion as plain text, for consumers that show text alone.
#pragma once

#include <string>

#include "grading/grade.h"

namespace warpcheck {

// Returns each complaint once, with its line, cases and hint; empty for a criterion that is passed.
// The text is clean (CleanText) and of bounded length.
std::string CriterionText(const Grade& grade, const CriterionGrade& criterion);

// Returns the path of the student's file as seen from the folder in which grading was started: the
// submission's own path, followed by the file's if the submission is a folder.
std::string PathOf(const Attempt& attempt, const SourceLocation& where);

}  // namespace warpcheck

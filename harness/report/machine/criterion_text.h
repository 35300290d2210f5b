// Writes the complaints of a criterion as plain text, for consumers that show only text.
#pragma once

#include <string>

#include "grading/grade.h"

namespace warpcheck {

// Returns each complaint once, with its line, cases and hint; empty for a criterion that is passed.
// The text is clean (CleanText) and limited in length.
std::string CriterionText(const Grade& grade, const CriterionGrade& criterion);

// Returns the path of the student's file as seen from the folder in which grading was started. This
// is the submission's own path, followed by the file's path if the submission is a folder.
std::string PathOf(const Attempt& attempt, const SourceLocation& where);

}  // namespace warpcheck

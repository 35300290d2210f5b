// What a criterion says, as plain text for consumers that show text alone.
#pragma once

#include <string>

#include "grading/grade.h"

namespace warpcheck {

// Each complaint once, with its line, cases and hint; "" for a criterion that is passed. Safe to
// show, bounded.
std::string CriterionText(const Grade& grade, const CriterionGrade& criterion);

// Where the student's file is for whoever looks at the submission from the folder that grading
// started in: the submission's path as given, and in a folder the file's own.
std::string PathOf(const Attempt& attempt, const SourceLocation& where);

}  // namespace warpcheck

// Writes the report of a grade for a terminal, which is what a student reads.
#pragma once

#include <string>

#include "grading/grade.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns the report. Control characters are removed from everything that the submission has
// written.
std::string TerminalReport(const Grade& grade, const TerminalStyle& style);

}  // namespace warpcheck

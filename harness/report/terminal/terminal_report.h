// The report of a grade for a terminal: what a student reads.
#pragma once

#include <string>

#include "grading/grade.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Control characters are removed from everything that the submission has written.
std::string TerminalReport(const Grade& grade, const TerminalStyle& style);

}  // namespace warpcheck

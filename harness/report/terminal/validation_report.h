// The report of `warpcheck validate` for a terminal: what an assignment's author reads.
#pragma once

#include <string>

#include "grading/validation.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns a line for each program, with its problems below it, and a line for each criterion.
std::string ValidationReport(const Validation& validation, const TerminalStyle& style);

}  // namespace warpcheck

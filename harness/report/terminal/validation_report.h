// Writes the report of `warpcheck validate` for a terminal, which an assignment's author reads.
#pragma once

#include <string>

#include "grading/validation.h"
#include "report/terminal/terminal_text.h"

namespace warpcheck {

// Returns a line for each program, with its problems below, and a line for each criterion.
std::string ValidationReport(const Validation& validation, const TerminalStyle& style);

}  // namespace warpcheck

// What an author reads of a validated assignment: a function of the finished validation.
#pragma once

#include <string>

#include "grading/validation.h"
#include "report/reports.h"

namespace warpcheck {

// A line for each program, with its problems under it, and one for each criterion.
std::string ValidationReport(const Validation& validation, const TerminalStyle& style);

}  // namespace warpcheck

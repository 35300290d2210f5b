// Shows the registers of a warp as a table for a terminal.
#pragma once

#include <string>

#include "report/terminal/terminal_text.h"
#include "run/journal.h"

namespace warpcheck {

// Returns a row for each lane, with as many registers as fit the width; further registers follow
// below. A register with the same value in all active lanes takes one line. Integers are shown as
// decimal and hexadecimal numbers, signed if that is shorter. A mark distinguishes the lanes of the
// finding (">"), other active lanes (" ") and inactive lanes ("-"). Inactive lanes show the values
// that they had when they stopped.
std::string RegisterTable(const run::FindingStop& stop, const TerminalStyle& style);

}  // namespace warpcheck

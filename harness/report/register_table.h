// The registers of a warp at a finding, lane by lane.
#pragma once

#include <string>

#include "report/reports.h"
#include "run/finding_stop.h"

namespace warpcheck {

// One row a lane, of as many registers as fit the width (further ones below); a register that is
// the same in all active lanes takes one line. Integers are decimal and hexadecimal, signed where
// that is shorter; a mark tells lanes of the finding (">"), other active ones (" "), and inactive
// ones ("-"), whose values are shown too: they are what the lane left there.
std::string RegisterTable(const run::FindingStop& stop, const TerminalStyle& style);

}  // namespace warpcheck

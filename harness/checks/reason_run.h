// Finds out how a wrong element was made: it runs a failed case once more, and records where the
// values in memory come from (emulator/trace/value_trace.h).
#pragma once

#include <optional>
#include <string>

#include "results/checks_order.h"
#include "results/reason.h"
#include "sandbox/sandbox.h"

namespace warpcheck {

// Runs order.cases in turn until the first wrong element of one of them is explained. Returns
// nothing if none is: no kernel stored it, or the program is too long to follow. `header` is the
// text of the assignment's header.
std::optional<CaseReason> FindReason(const ChecksOrder& order, sandbox::Sandbox& sandbox,
                                     const std::string& header);

}  // namespace warpcheck

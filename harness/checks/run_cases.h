// Runs cases of the checks program once more, in the same process.
#pragma once

#include <span>
#include <string>

#include "results/results_file.h"

namespace warpcheck {

// Runs the cases with these full names in the current session, and writes their results.
void RunCases(std::span<const std::string> cases, ResultsWriter& results);

}  // namespace warpcheck

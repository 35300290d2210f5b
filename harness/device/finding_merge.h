// Findings that tell of the same: one rule for grades and for `warpcheck run`.
#pragma once

#include <vector>

#include "device/finding.h"

namespace warpcheck {

// Adds a finding, or its count where one is there that tells of the same: of that kind, place and,
// of a race, place of the other access; of one kernel and text, where the place is unknown.
void AddFinding(std::vector<Finding>& findings, const Finding& finding);

}  // namespace warpcheck

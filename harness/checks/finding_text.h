// Findings as complaints.
#pragma once

#include <vector>

#include "checks/docket.h"
#include "device/finding.h"

namespace warpcheck {

// One finding for each that tells of something else (device/finding_merge.h), the first one, with
// the counts added up.
std::vector<Finding> Merged(const std::vector<Finding>& findings);

// kError for what ends a kernel on a device, kHarnessFault for a device that was lost, kFailed for
// the rest.
Charge ChargeFor(const Finding& finding);

}  // namespace warpcheck

// Findings as complaints.
#pragma once

#include "checks/docket.h"
#include "device/finding.h"

namespace warpcheck {

// kError for what ends a kernel on a device, kHarnessFault for a device that was lost, kFailed for
// the rest.
Charge ChargeFor(const Finding& finding);

}  // namespace warpcheck

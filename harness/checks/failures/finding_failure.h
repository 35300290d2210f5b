// Findings as complaints.
#pragma once

#include "device/finding.h"
#include "trial/case_log.h"

namespace warpcheck {

// kError for what ends a kernel on a device, kHarnessFault for a device that was lost, kFailed for
// the rest.
Charge ChargeFor(const Finding& finding);

}  // namespace warpcheck

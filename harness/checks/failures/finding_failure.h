// Turns a finding of a device into a failure of the running case.
#pragma once

#include "device/finding.h"
#include "trial/case_log.h"

namespace warpcheck {

// Converts a finding to a failure. Its verdict is kError if the finding ends a kernel,
// kHarnessFault if the device was lost, and kFailed otherwise.
CaseFailure FailureFor(const Finding& finding);

}  // namespace warpcheck

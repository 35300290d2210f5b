// Says why a call did not return: how its host ended, or why the call was not made.
#pragma once

#include <vector>

#include "trial/case_log.h"
#include "trial/trial.h"

namespace warpcheck {

// Returns why the call did not return; empty if it did.
std::vector<CaseFailure> FailuresForEnding(const Trial& trial);

}  // namespace warpcheck

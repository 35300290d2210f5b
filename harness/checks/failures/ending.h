// Complaints about a call that did not return.
#pragma once

#include <vector>

#include "trial/case_log.h"
#include "trial/trial.h"

namespace warpcheck {

// Why the call did not return; empty where it did. Every matcher of a Trial starts with these.
std::vector<Charge> ChargesForEnding(const Trial& trial);

}  // namespace warpcheck

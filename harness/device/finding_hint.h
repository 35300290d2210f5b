// How to mend what a finding tells of.
#pragma once

#include "device/finding.h"

namespace warpcheck {

// One sentence for whoever wrote the program: "guard the access: ..."; empty where the finding says
// it all.
std::string HintFor(const Finding& finding);

}  // namespace warpcheck

// Finds what a launch needs of a GPU beside what its counters say (LaunchNeeds).
#pragma once

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Sets the needs in the record of a launch that has ended. They are left out if the launch does not
// count by allocation (Options::by_allocation).
void FindNeeds(Launch& launch);

}  // namespace warpcheck::emulator

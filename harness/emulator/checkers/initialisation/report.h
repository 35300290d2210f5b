// These functions report uses of undefined values, and reads of memory that nothing has written.
#pragma once

#include <cstdint>

#include "emulator/checkers/initialisation/origins.h"
#include "emulator/core/observer.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {

// A kernel uses an undefined value in one of these ways.
enum class UndefinedUse : std::uint8_t { kStore, kAddress, kBranch, kAtomic, kWait };

// Records that `lanes` use a value of this origin at `step`: one finding for each origin.
void ReportUse(Warp& warp, const Step& step, LaneMask lanes, UndefinedUse use,
               const Origin& origin);

// Records that `lanes` read memory, and that nothing has written some of its bytes.
void ReportUnwrittenRead(const AccessEvent& event, LaneMask lanes);

// Records that `lanes` read bytes of the __constant__ variable `array` that the host has not
// written. They are still 0, which may be what the program wants.
void ReportUnwrittenConstant(const AccessEvent& event, LaneMask lanes, const Allocation& array);

}  // namespace warpcheck::emulator

// Where the interpreter meets the checker of initialisation. Nothing of this costs anything where
// Warp::initialisation is null.
#pragma once

#include "emulator/initialisation.h"
#include "emulator/taint.h"
#include "emulator/warp.h"

namespace warpcheck::emulator {

// With the bytes of a call's arguments (or, with `back`, its results) goes their taint.
void CopyTaints(const Frame& from, const std::vector<CallInfo::Argument>& arguments,
                const Frame& to, const std::vector<ParamArea>& areas, LaneMask lanes, bool back);

}  // namespace warpcheck::emulator

// Executes the functions that CUDA provides to device code without a body in the module: printf,
// assert, malloc and free, and those behind a launch by a kernel, kernel<<<...>>>(...).
#pragma once

#include <string_view>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Executes the call of the function `name` for `lanes`. Ends the launch with a finding if there is
// no such function.
void CallDeviceFunction(Warp& warp, const Step& step, LaneMask lanes, const CallInfo& call,
                        std::string_view name);

}  // namespace warpcheck::emulator

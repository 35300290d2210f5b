// Enters and leaves functions. Each function has a frame.
#pragma once

#include <vector>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Starts the lanes of `mask` in the kernel, or in a function that is called. `call` is null for the
// kernel.
void EnterFunction(Warp& warp, const Program& program, LaneMask mask, const CallInfo* call);
// Removes the frame on top, whose lanes have all returned, and continues with its caller.
void LeaveFunction(Warp& warp);
// Makes the warp continue with the frame on top of the stack.
void UseFrame(Warp& warp);
// Copies the arguments of a call from the caller's frame to the callee's areas. If `back` is set,
// copies the results in the other direction. Copies taints with the bytes.
void CopyArguments(const Warp& warp, const Frame& caller,
                   const std::vector<CallInfo::Argument>& arguments, const Frame& callee,
                   const std::vector<ParamArea>& areas, LaneMask lanes, bool back);

}  // namespace warpcheck::emulator

// The functions that a warp is in: entering and leaving them.
#pragma once

#include <vector>

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Starts the lanes of `mask` in the kernel, or in a function that is called.
void EnterFunction(Warp& warp, const Program& program, LaneMask mask, const CallInfo* call);
// Leaves the function on top, after all of its lanes have, and goes on with its caller.
void LeaveFunction(Warp& warp);
// Goes on with the frame on top of the stack.
void UseFrame(Warp& warp);
// Copies the arguments of a call from the caller's frame to the callee's areas, or, with `back`,
// its results the other way; with the bytes goes their taint.
void CopyArguments(const Warp& warp, const Frame& caller,
                   const std::vector<CallInfo::Argument>& arguments, const Frame& callee,
                   const std::vector<ParamArea>& areas, LaneMask lanes, bool back);

}  // namespace warpcheck::emulator

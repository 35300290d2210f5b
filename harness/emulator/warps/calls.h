// Executes calls of functions, direct ones and those through addresses.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Executes the call that ends the current block of code, for `lanes`.
void Call(Warp& warp, const Step& step, LaneMask lanes, const CodeBlock& block);

}  // namespace warpcheck::emulator

// Executes calls of functions, both direct calls and calls through addresses.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Executes the call that ends the current basic block, for `lanes`.
void Call(Warp& warp, const Step& step, LaneMask lanes, const CodeBlock& block);

}  // namespace warpcheck::emulator

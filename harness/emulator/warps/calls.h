// Calls of functions, direct and through addresses.
#pragma once

#include "emulator/core/warp.h"

namespace warpcheck::emulator {

// Carries out the call that ends the current block, for `lanes`.
void Call(Warp& warp, const Step& step, LaneMask lanes, const CodeBlock& block);

}  // namespace warpcheck::emulator

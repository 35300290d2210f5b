// Finds barriers of a block that order nothing: all warps wait for the slowest, for no gain.
#pragma once

#include <memory>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

std::unique_ptr<Observer> MakeNeedlessBarrierChecker();

}  // namespace warpcheck::emulator

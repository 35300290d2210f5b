// Extents and positions as people read them.
#pragma once

#include <string>

#include "device/types.h"

namespace warpcheck {

// "256", "32x8" or "32x8x2": without the last dimensions where they are 1.
std::string ExtentText(const Dim3& extent);

// "(1, 0, 3)".
std::string PositionText(const Dim3& at);

}  // namespace warpcheck

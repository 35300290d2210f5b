// Names what a finding about shared memory was made for, where a later look at the whole launch
// chooses its hint by it.
#pragma once

#include <string_view>

namespace warpcheck::emulator {

// The name of extern __shared__ memory in messages.
inline constexpr std::string_view kDynamicShared = "dynamic shared memory";

}  // namespace warpcheck::emulator

// The values of a store that is about to be made.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Whether two lanes of a store write the same bytes. False for atomics and copies, whose values are
// in no registers.
bool StoreSame(const AccessEvent& event, std::uint32_t lane, std::uint32_t other);

// Whether `lane` stores what lies at `there` already.
bool StoresWhatIsThere(const AccessEvent& event, std::uint32_t lane, const std::byte* there);

}  // namespace warpcheck::emulator

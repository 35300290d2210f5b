// What a store is about to write, for observers: see AccessEvent.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/observer.h"

namespace warpcheck::emulator {

// Whether two lanes of a store write the same bytes. False for atomics and copies, whose values are
// in no registers.
bool StoreSame(const AccessEvent& event, std::uint32_t lane, std::uint32_t other);

// Whether `lane` stores what lies at `there` already.
bool StoresWhatIsThere(const AccessEvent& event, std::uint32_t lane, const std::byte* there);

}  // namespace warpcheck::emulator

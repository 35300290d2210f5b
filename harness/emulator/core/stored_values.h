// Looks at the values of a store or an atomic that is about to be executed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Returns true if two lanes of a store write the same bytes. Returns false for atomics and copies,
// whose values are not in registers.
bool StoreSame(const AccessEvent& event, std::uint32_t lane, std::uint32_t other);

// Returns true if `lane` stores the bytes that are already at `there`.
bool StoresWhatIsThere(const AccessEvent& event, std::uint32_t lane, const std::byte* there);

// Returns true if the atomic of `lane` leaves memory as it is, whatever is there: it adds 0, or
// swaps a value for itself. So it only reads.
bool LeavesMemory(const AccessEvent& event, std::uint32_t lane);

}  // namespace warpcheck::emulator

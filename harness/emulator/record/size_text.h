// What findings say of sizes that the program gave: of allocations, of copies and fills, and of
// dynamic shared memory.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Of memory that the program allocated by a number of elements instead of bytes.
std::string AllocationHint(const Launch& launch, const Allocation& array, std::uint64_t address,
                           std::uint32_t bytes);
// Adds to findings of accesses beyond dynamic shared memory how much of it the kernel uses. At the
// end of a launch.
void TellSharedSize(Launch& launch);

// Of an address that nothing has written: which call of the host wrote only what lies before it.
struct WrittenPart {
  std::string message;  // "cudaMemset wrote the first 512 of the array's 2,048 bytes: ", or empty
  std::string hint;
};
WrittenPart PartWritten(const Allocation& array, std::uint64_t address);

}  // namespace warpcheck::emulator

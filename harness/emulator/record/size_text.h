// Gives hints about sizes that the program chose: of allocations, of copies and fills, and of
// dynamic shared memory.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns a hint, which names cudaMalloc, if the program seems to have allocated `array` by a
// number of elements instead of bytes; else nothing.
std::string AllocationHint(const Launch& launch, const Allocation& array, std::uint64_t address,
                           std::uint32_t bytes);
// Adds to findings of accesses beyond dynamic shared memory how much of it the kernel uses. Call it
// at the end of a launch.
void TellSharedSize(Launch& launch);

// Explains an address that nothing has written, and from which `bytes` bytes are read: a call of
// the host wrote only the bytes before it. All texts are empty if that is not so.
struct WrittenPart {
  std::string message;  // such as "cudaMemset wrote the first 512 of the array's 2,048 bytes: "
  std::string hint;
  std::string call;  // "cudaMemset"
};
WrittenPart PartWritten(const Allocation& array, std::uint64_t address, std::uint32_t bytes);

}  // namespace warpcheck::emulator

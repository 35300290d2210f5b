// Gives hints about sizes that the program chose: of allocations, of copies and fills, and of
// dynamic shared memory.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// Returns true for an array that the program has allocated itself, and not freed.
bool IsOwn(const Allocation& array);
// Returns a hint for an access behind such an array, if its size must be a number of elements
// instead of bytes: the launch counts by it, or it is no whole number of elements. The hint names
// cudaMalloc. Returns an empty text for other accesses.
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

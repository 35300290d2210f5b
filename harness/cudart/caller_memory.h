// Allocates host memory for the caller of a program that uses this runtime, such as a judge who
// passes pinned or managed arrays to a function.
#pragma once

#include <cstddef>

namespace warpcheck::cudart {

enum class CallerMemory {
  kPinned,   // as of cudaHostAlloc
  kManaged,  // as of cudaMallocManaged
};

// Returns the memory, or null if there is no room. It lives until the process or its device ends,
// and no finding says that the program did not free it.
std::byte* AllocateForCaller(CallerMemory kind, std::size_t bytes);

}  // namespace warpcheck::cudart

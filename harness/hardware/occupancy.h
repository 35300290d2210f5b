// Computes how many blocks of a kernel a multiprocessor can run at once, by the arithmetic of
// NVIDIA's occupancy calculator (CUDA C++ Programming Guide, "Occupancy Calculator").
#pragma once

#include <cstdint>

#include "device/device.h"

namespace warpcheck {

// Returns how many blocks of `threads` threads fit, or 0 if not even one does.
// `dynamic_shared_bytes` are the bytes of one block.
std::uint32_t MaxActiveBlocks(const DeviceProperties& properties, const KernelInfo& kernel,
                              std::uint32_t threads, std::uint64_t dynamic_shared_bytes);

// Returns how many bytes of dynamic shared memory each block may have if `blocks` blocks are to
// share a multiprocessor.
std::uint64_t AvailableDynamicShared(const DeviceProperties& properties, const KernelInfo& kernel,
                                     std::uint32_t blocks);

}  // namespace warpcheck

// How many blocks of a kernel a multiprocessor holds, by the arithmetic of NVIDIA's occupancy
// calculator (CUDA C++ Programming Guide, "Occupancy Calculator").
#pragma once

#include <cstdint>

#include "device/device.h"

namespace warpcheck {

// Of a block, static and dynamic: sizes that do not fit 64 bits are as large as any.
constexpr std::uint64_t SharedBytesOfBlock(std::uint64_t fixed, std::uint64_t dynamic) {
  const std::uint64_t sum = fixed + dynamic;
  return sum < fixed ? ~std::uint64_t{0} : sum;
}

// 0 where a single block does not fit. `dynamic_shared_bytes`: a block.
std::uint32_t MaxActiveBlocks(const DeviceProperties& properties, const KernelInfo& kernel,
                              std::uint32_t threads, std::uint64_t dynamic_shared_bytes);

// Dynamic shared memory, in bytes a block, that lets `blocks` blocks share a multiprocessor.
std::uint64_t AvailableDynamicShared(const DeviceProperties& properties, const KernelInfo& kernel,
                                     std::uint32_t blocks);

}  // namespace warpcheck

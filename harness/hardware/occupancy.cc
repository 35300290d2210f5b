#include "hardware/occupancy.h"

#include <algorithm>

#include "base/round_up.h"
#include "device/launch_rules.h"

namespace warpcheck {
namespace {

// Partitions of each multiprocessor; each has its own registers.
constexpr std::uint32_t kSubpartitions = 4;

// Returns how many blocks fit into the registers of a multiprocessor.
std::uint64_t BlocksByRegisters(const DeviceProperties& properties, const KernelInfo& kernel,
                                std::uint32_t warps) {
  if (kernel.registers == 0) return properties.max_blocks_per_multiprocessor;
  if (kernel.registers > properties.max_registers_per_thread) return 0;
  const std::uint64_t per_warp = RoundUp(std::uint64_t{kernel.registers} * properties.warp_size,
                                         properties.register_allocation_unit);
  if (per_warp * RoundUp(warps, kSubpartitions) > properties.registers_per_block) return 0;
  const std::uint64_t warps_per_subpartition =
      properties.registers_per_multiprocessor / kSubpartitions / per_warp;
  return warps_per_subpartition * kSubpartitions / warps;
}

std::uint64_t BlocksByShared(const DeviceProperties& properties, const KernelInfo& kernel,
                             std::uint64_t dynamic_bytes) {
  const std::uint64_t used = SharedBytesOfBlock(kernel.static_shared_bytes, dynamic_bytes);
  if (used > properties.shared_bytes_per_block_optin) return 0;
  const std::uint64_t block =
      RoundUp(used + properties.shared_bytes_reserved_per_block, properties.shared_allocation_unit);
  if (block == 0) return properties.max_blocks_per_multiprocessor;
  return properties.shared_bytes_per_multiprocessor / block;
}

}  // namespace

std::uint32_t MaxActiveBlocks(const DeviceProperties& properties, const KernelInfo& kernel,
                              std::uint32_t threads, std::uint64_t dynamic_shared_bytes) {
  const std::uint32_t limit = kernel.max_threads_per_block != 0 ? kernel.max_threads_per_block
                                                                : properties.max_threads_per_block;
  if (threads == 0 || threads > limit || threads > properties.max_threads_per_block) return 0;
  const std::uint32_t warps = (threads + properties.warp_size - 1) / properties.warp_size;
  const std::uint64_t by_warps =
      properties.max_threads_per_multiprocessor / properties.warp_size / warps;
  return static_cast<std::uint32_t>(
      std::min({std::uint64_t{properties.max_blocks_per_multiprocessor}, by_warps,
                BlocksByRegisters(properties, kernel, warps),
                BlocksByShared(properties, kernel, dynamic_shared_bytes)}));
}

std::uint64_t AvailableDynamicShared(const DeviceProperties& properties, const KernelInfo& kernel,
                                     std::uint32_t blocks) {
  const std::uint64_t unit = std::max(properties.shared_allocation_unit, 1U);
  const std::uint64_t share = properties.shared_bytes_per_multiprocessor / blocks / unit * unit;
  const std::uint64_t taken =
      std::uint64_t{kernel.static_shared_bytes} + properties.shared_bytes_reserved_per_block;
  const std::uint64_t most =
      properties.shared_bytes_per_block_optin -
      std::min(kernel.static_shared_bytes, properties.shared_bytes_per_block_optin);
  return share < taken ? 0 : std::min(share - taken, most);
}

}  // namespace warpcheck

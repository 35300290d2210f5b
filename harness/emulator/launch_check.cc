#include "emulator/launch_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/occupancy.h"

namespace warpcheck::emulator {
namespace {

Refusal Refuse(const Kernel& kernel, DeviceError error, std::string why) {
  Refusal refusal;
  refusal.error = error;
  refusal.finding.kind = FindingKind::kInvalidLaunch;
  refusal.finding.kernel = kernel.display_name;
  refusal.finding.message =
      fmt::format("the launch fails with {}: {}", CudaErrorName(error), std::move(why));
  return refusal;
}

// Registers and local memory of a block, which the emulator keeps in memory of its own.
constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{512} << 20;

std::uint64_t BlockBytes(const Kernel& kernel, const Dim3& block) {
  const std::uint64_t warps = (block.Count() + kLanes - 1) / kLanes;
  const Program& program = kernel.entry();
  return warps * (program.frame_bytes + std::uint64_t{kLanes} * program.local_bytes);
}

std::string Text(const Dim3& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

bool Within(const Dim3& extent, const Dim3& limit) {
  return extent.x <= limit.x && extent.y <= limit.y && extent.z <= limit.z;
}

}  // namespace

std::uint64_t ResidentBlocks(const Kernel& kernel, const LaunchRequest& request,
                             const DeviceProperties& properties) {
  const KernelInfo info = kernel.Info(properties);
  return std::uint64_t{MaxActiveBlocks(properties, info,
                                       static_cast<std::uint32_t>(request.block.Count()),
                                       request.dynamic_shared_bytes)} *
         properties.multiprocessors;
}

std::optional<Refusal> CheckLaunch(const Kernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties) {
  const Dim3& grid = request.grid;
  const Dim3& block = request.block;
  const ptx::Function& function = *kernel.function;
  if (!kernel.error.empty()) {
    Refusal refusal = Refuse(kernel, DeviceError::kInvalidPtx, kernel.error);
    refusal.finding.kind = FindingKind::kInvalidPtx;
    refusal.finding.where = kernel.error_place;
    return refusal;
  }
  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0) {
    return Refuse(
        kernel, DeviceError::kInvalidValue,
        fmt::format("a grid of {} blocks of {} threads is empty", Text(grid), Text(block)));
  }
  if (!Within(block, properties.max_block)) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("a block of {} threads exceeds the limit of {}", Text(block),
                              Text(properties.max_block)));
  }
  if (block.Count() > properties.max_threads_per_block) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("a block of {} has {} threads, and the limit is {}", Text(block),
                              block.Count(), properties.max_threads_per_block));
  }
  if (!Within(grid, properties.max_grid)) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("a grid of {} blocks exceeds the limit of {}", Text(grid),
                              Text(properties.max_grid)));
  }
  if (function.max_threads && block.Count() > *function.max_threads) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("a block of {} threads exceeds the kernel's __launch_bounds__({})",
                              block.Count(), *function.max_threads));
  }
  if (function.required_threads && block.Count() != *function.required_threads) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("a block of {} threads, and the kernel requires {}", block.Count(),
                              *function.required_threads));
  }
  const std::uint64_t shared =
      std::uint64_t{kernel.static_shared_bytes} + request.dynamic_shared_bytes;
  if (shared > properties.shared_bytes_per_block_optin) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("a block needs {} bytes of shared memory, and the limit is {}",
                              shared, properties.shared_bytes_per_block_optin));
  }
  if (const std::uint64_t bytes = BlockBytes(kernel, block); bytes > kMaxBlockBytes) {
    return Refuse(kernel, DeviceError::kMemoryAllocation,
                  fmt::format("a block of {} threads needs {} bytes of registers and local memory, "
                              "and the emulator has {}",
                              block.Count(), bytes, kMaxBlockBytes));
  }
  const std::uint64_t resident = ResidentBlocks(kernel, request, properties);
  if (request.cooperative && grid.Count() > resident) {
    return Refuse(kernel, DeviceError::kCooperativeLaunchTooLarge,
                  fmt::format("a cooperative grid of {} blocks, and the device holds {} of them at "
                              "once ({} a multiprocessor)",
                              grid.Count(), resident, resident / properties.multiprocessors));
  }
  if (request.parameters.size() != function.parameter_bytes) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("{} bytes of parameters were given, and the kernel takes {}",
                              request.parameters.size(), function.parameter_bytes));
  }
  return std::nullopt;
}

}  // namespace warpcheck::emulator

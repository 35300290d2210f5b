#include "emulator/core/launch_check.h"

#include <fmt/format.h>

#include "base/text.h"
#include "hardware/occupancy.h"

namespace warpcheck::emulator {
namespace {

Refusal CannotRun(const Kernel& kernel) {
  Refusal refusal;
  refusal.error = DeviceError::kNotSupported;
  refusal.finding.kind = FindingKind::kUnsupportedCode;
  refusal.finding.kernel = kernel.display_name;
  refusal.finding.where = kernel.error_place;
  refusal.finding.message =
      fmt::format("the launch fails with {}: {}", CudaErrorName(refusal.error), kernel.error);
  return refusal;
}

// The most bytes of registers and local memory of a block. The emulator keeps these bytes in host
// memory.
constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{512} << 20;

std::uint64_t BlockBytes(const Kernel& kernel, const Dim3& block) {
  const std::uint64_t warps = (block.Count() + kLanes - 1) / kLanes;
  const Program& program = kernel.entry();
  return warps * (program.frame_bytes + std::uint64_t{kLanes} * program.local_bytes);
}

std::uint32_t BlocksAMultiprocessor(const KernelInfo& info, const LaunchRequest& request,
                                    const DeviceProperties& properties) {
  return MaxActiveBlocks(properties, info, static_cast<std::uint32_t>(request.block.Count()),
                         request.dynamic_shared_bytes);
}

}  // namespace

std::uint64_t ResidentBlocks(const Kernel& kernel, const LaunchRequest& request,
                             const DeviceProperties& properties) {
  return std::uint64_t{BlocksAMultiprocessor(kernel.Info(properties), request, properties)} *
         properties.multiprocessors;
}

std::optional<Refusal> CheckLaunch(const Kernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties) {
  if (!kernel.error.empty()) return CannotRun(kernel);
  const KernelInfo info = kernel.Info(properties);
  const LaunchedKernel launched = {kernel.display_name, info};
  if (auto refusal = warpcheck::CheckLaunch(launched, request, properties)) return refusal;
  if (kernel.registers != 0) {
    if (auto refusal = CheckRegisters(launched, request, properties)) return refusal;
  }
  const auto& required = kernel.function->required_threads;
  if (required && request.block.Count() != *required) {
    return Refuse(launched, DeviceError::kInvalidValue,
                  fmt::format("the block has {}, but the kernel requires {}",
                              Counted(request.block.Count(), "thread"), Grouped(*required)));
  }
  if (const std::uint64_t bytes = BlockBytes(kernel, request.block); bytes > kMaxBlockBytes) {
    return Refuse(launched, DeviceError::kMemoryAllocation,
                  fmt::format("a block of {} threads needs {} bytes of registers and local memory, "
                              "and the emulator has {}",
                              request.block.Count(), bytes, kMaxBlockBytes));
  }
  return CheckCooperation(launched, request, properties,
                          BlocksAMultiprocessor(info, request, properties));
}

}  // namespace warpcheck::emulator

#include "gpu/launch_rules.h"

#include <fmt/format.h>

#include <utility>

#include "base/round_up.h"

namespace warpcheck::gpu {
namespace {

Refusal Refuse(const GpuKernel& kernel, DeviceError error, const std::string& why) {
  Refusal refusal;
  refusal.error = error;
  refusal.finding.kind = FindingKind::kInvalidLaunch;
  refusal.finding.kernel = kernel.display_name;
  refusal.finding.message = fmt::format("the launch fails with {}: {}", CudaErrorName(error), why);
  return refusal;
}

std::string Text(const Dim3& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

bool IsEmpty(const Dim3& extent) { return extent.x == 0 || extent.y == 0 || extent.z == 0; }

bool Within(const Dim3& extent, const Dim3& limit) {
  return extent.x <= limit.x && extent.y <= limit.y && extent.z <= limit.z;
}

// Why the extents are refused; empty where they are not.
std::string ExtentFault(const Dim3& grid, const Dim3& block, const DeviceProperties& properties) {
  if (IsEmpty(grid) || IsEmpty(block)) {
    return fmt::format("a grid of {} blocks of {} threads is empty", Text(grid), Text(block));
  }
  if (!Within(block, properties.max_block)) {
    return fmt::format("a block of {} threads exceeds the limit of {}", Text(block),
                       Text(properties.max_block));
  }
  if (block.Count() > properties.max_threads_per_block) {
    return fmt::format("a block of {} has {} threads, and the limit is {}", Text(block),
                       block.Count(), properties.max_threads_per_block);
  }
  if (!Within(grid, properties.max_grid)) {
    return fmt::format("a grid of {} blocks exceeds the limit of {}", Text(grid),
                       Text(properties.max_grid));
  }
  return "";
}

}  // namespace

std::optional<Refusal> CheckLaunch(const GpuKernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties) {
  const std::string fault = ExtentFault(request.grid, request.block, properties);
  if (!fault.empty()) return Refuse(kernel, DeviceError::kInvalidValue, fault);
  const std::uint64_t shared =
      std::uint64_t{kernel.info.static_shared_bytes} + request.dynamic_shared_bytes;
  if (shared > properties.shared_bytes_per_block_optin) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("a block needs {} bytes of shared memory, and the limit is {}",
                              shared, properties.shared_bytes_per_block_optin));
  }
  if (request.parameters.size() != kernel.info.parameter_bytes) {
    return Refuse(kernel, DeviceError::kInvalidValue,
                  fmt::format("{} bytes of parameters were given, and the kernel takes {}",
                              request.parameters.size(), kernel.info.parameter_bytes));
  }
  return std::nullopt;
}

Refusal ExplainRefusal(const DriverApi& api, CUresult result, const GpuKernel& kernel,
                       const LaunchRequest& request, const DeviceProperties& properties,
                       std::uint32_t active_blocks) {
  const DeviceError error = ToDeviceError(result);
  const std::uint64_t threads = request.block.Count();
  const KernelInfo& info = kernel.info;
  if (result == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
    return Refuse(
        kernel, error,
        fmt::format("all blocks of a cooperative launch run at once: there are {}, and the GPU "
                    "holds {}, {} on each of {} multiprocessors",
                    request.grid.Count(), std::uint64_t{active_blocks} * properties.multiprocessors,
                    active_blocks, properties.multiprocessors));
  }
  const std::uint64_t registers =
      RoundUp(threads, properties.warp_size) * std::uint64_t{info.registers};
  if (registers > properties.registers_per_block) {
    return Refuse(
        kernel, error,
        fmt::format("a block of {} threads needs {} registers, {} a thread, and the limit "
                    "is {}",
                    threads, registers, info.registers, properties.registers_per_block));
  }
  if (threads > info.max_threads_per_block) {
    return Refuse(kernel, error,
                  fmt::format("a block of {} threads exceeds the kernel's __launch_bounds__({})",
                              threads, info.max_threads_per_block));
  }
  return Refuse(kernel, error, fmt::format("the driver says {}", ErrorText(api, result)));
}

}  // namespace warpcheck::gpu

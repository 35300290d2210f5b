#include "device/launch_rules.h"

#include <fmt/format.h>

#include "base/round_up.h"
#include "base/text.h"

namespace warpcheck {
namespace {

std::string Text(const Dim3& extent) {
  return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
}

struct Dimension {
  char name;
  std::uint32_t extent, limit;

  bool IsEmpty() const { return extent == 0; }
  bool IsBeyond() const { return extent > limit; }
};

// Returns the first dimension for which `is_wrong` returns true.
std::optional<Dimension> First(bool (Dimension::*is_wrong)() const, const Dim3& extent,
                               const Dim3& limit) {
  for (const Dimension& dimension :
       {Dimension{'x', extent.x, limit.x}, Dimension{'y', extent.y, limit.y},
        Dimension{'z', extent.z, limit.z}}) {
    if ((dimension.*is_wrong)()) return dimension;
  }
  return std::nullopt;
}

// Returns why the grid or the block is refused; empty if both are valid.
std::string WrongExtents(const Dim3& grid, const Dim3& block, const DeviceProperties& properties) {
  if (const auto empty = First(&Dimension::IsEmpty, block, properties.max_block)) {
    return fmt::format("blockDim.{} is 0 in a block of {} threads: make each dimension at least 1",
                       empty->name, Text(block));
  }
  if (const auto empty = First(&Dimension::IsEmpty, grid, properties.max_grid)) {
    return fmt::format(
        "gridDim.{} is 0 in a grid of {} blocks: round up with (n + block - 1) / block, and do not "
        "launch if n is 0",
        empty->name, Text(grid));
  }
  if (const auto beyond = First(&Dimension::IsBeyond, block, properties.max_block)) {
    return fmt::format(
        "blockDim.{} is {} in a block of {} threads, and the limit is {}: use more blocks",
        beyond->name, beyond->extent, Text(block), beyond->limit);
  }
  if (block.Count() > properties.max_threads_per_block) {
    return fmt::format(
        "a block of {} has {} threads, and the limit is {}: use smaller blocks, or let each thread "
        "process several elements",
        Text(block), block.Count(), properties.max_threads_per_block);
  }
  if (const auto beyond = First(&Dimension::IsBeyond, grid, properties.max_grid)) {
    return fmt::format("gridDim.{} is {} in a grid of {} blocks, and the limit is {}: {}",
                       beyond->name, beyond->extent, Text(grid), beyond->limit,
                       beyond->name == 'x'
                           ? "let each thread process several elements"
                           : "use x for the largest extent, or let each block do more of the work");
  }
  return {};
}

// Returns why the shared memory of a block is refused; empty if it is valid. The sizes come from
// the program, and may be any numbers.
std::string WrongShared(const LaunchedKernel& kernel, const LaunchRequest& request,
                        const DeviceProperties& properties) {
  const std::uint64_t fixed = kernel.info.static_shared_bytes;
  const std::uint64_t dynamic = request.dynamic_shared_bytes;
  const std::uint64_t free = properties.shared_bytes_per_block;
  const std::uint64_t most = properties.shared_bytes_per_block_optin;
  const std::string function = kernel.name.substr(0, kernel.name.find_first_of("(<"));
  if (fixed > most || dynamic > most - fixed) {
    return fmt::format(
        "a block asks for {} bytes of dynamic shared memory and has {} bytes of __shared__ arrays, "
        "and the limit for both together is {}: use a smaller tile",
        dynamic, fixed, most);
  }
  if (fixed > free) {
    return fmt::format(
        "its __shared__ arrays take {} bytes, and the limit is {}: declare one array as extern "
        "__shared__, pass its size as the third argument of <<<>>>, and allow the size with "
        "cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
        fixed, free, function);
  }
  if (dynamic > free - fixed && dynamic > request.allowed_shared_bytes) {
    const std::string beside =
        fixed == 0 ? "" : fmt::format(" and has {} bytes of __shared__ arrays", fixed);
    return fmt::format(
        "a block asks for {} bytes of dynamic shared memory{}, and the limit is {}: to raise it, "
        "call "
        "cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before the "
        "launch",
        dynamic, beside,
        request.allowed_shared_bytes > 0 ? request.allowed_shared_bytes : free - fixed, function,
        dynamic);
  }
  return {};
}

}  // namespace

Refusal Refuse(const LaunchedKernel& kernel, DeviceError error, const std::string& why) {
  return {.error = error,
          .finding = {.kind = FindingKind::kInvalidLaunch,
                      .kernel = kernel.name,
                      .message = fmt::format("the launch of {} fails with {}: {}", kernel.name,
                                             CudaErrorName(error), why)}};
}

std::optional<Refusal> CheckLaunch(const LaunchedKernel& kernel, const LaunchRequest& request,
                                   const DeviceProperties& properties) {
  std::string why = WrongExtents(request.grid, request.block, properties);
  const std::uint64_t threads = request.block.Count();
  if (why.empty() && threads > kernel.info.max_threads_per_block) {
    why = fmt::format("a block of {} threads exceeds the kernel's __launch_bounds__({})", threads,
                      kernel.info.max_threads_per_block);
  }
  if (why.empty()) why = WrongShared(kernel, request, properties);
  if (why.empty() && request.parameters.size() != kernel.info.parameter_bytes) {
    why = fmt::format("the launch passes {} of parameters, and the kernel takes {}",
                      Counted(request.parameters.size(), "byte"), kernel.info.parameter_bytes);
  }
  if (why.empty()) return std::nullopt;
  return Refuse(kernel, DeviceError::kInvalidValue, why);
}

std::optional<Refusal> CheckCooperation(const LaunchedKernel& kernel, const LaunchRequest& request,
                                        const DeviceProperties& properties,
                                        std::uint32_t active_blocks) {
  const std::uint64_t most = std::uint64_t{active_blocks} * properties.multiprocessors;
  if (!request.cooperative || request.grid.Count() <= most) return std::nullopt;
  return Refuse(
      kernel, DeviceError::kCooperativeLaunchTooLarge,
      fmt::format(
          "a cooperative launch needs room for all its {} blocks at once, and the device "
          "holds {}: {} on each of {} multiprocessors (see "
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor); launch fewer blocks, and let each "
          "do more of the work",
          request.grid.Count(), most, active_blocks, properties.multiprocessors));
}

std::optional<Refusal> CheckRegisters(const LaunchedKernel& kernel, const LaunchRequest& request,
                                      const DeviceProperties& properties) {
  const std::uint64_t threads = request.block.Count();
  const std::uint64_t registers =
      RoundUp(threads, properties.warp_size) * std::uint64_t{kernel.info.registers};
  if (registers <= properties.registers_per_block) return std::nullopt;
  return Refuse(kernel, DeviceError::kLaunchOutOfResources,
                fmt::format("a block of {} threads needs {} registers, {} for each thread, and the "
                            "limit is {}: use smaller blocks, or declare the kernel with "
                            "__launch_bounds__({})",
                            threads, registers, kernel.info.registers,
                            properties.registers_per_block, threads));
}

}  // namespace warpcheck

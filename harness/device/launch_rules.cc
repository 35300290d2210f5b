#include "device/launch_rules.h"

#include <fmt/format.h>

#include "base/round_up.h"

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

// The first dimension that is wrong in this way.
std::optional<Dimension> First(bool (Dimension::*is_wrong)() const, const Dim3& extent,
                               const Dim3& limit) {
  for (const Dimension& dimension :
       {Dimension{'x', extent.x, limit.x}, Dimension{'y', extent.y, limit.y},
        Dimension{'z', extent.z, limit.z}}) {
    if ((dimension.*is_wrong)()) return dimension;
  }
  return std::nullopt;
}

// Why the grid and the block are refused; empty where they are not.
std::string WrongExtents(const Dim3& grid, const Dim3& block, const DeviceProperties& properties) {
  if (const auto empty = First(&Dimension::IsEmpty, block, properties.max_block)) {
    return fmt::format("a block of {} threads has none in {}: let each dimension be at least 1",
                       Text(block), empty->name);
  }
  if (const auto empty = First(&Dimension::IsEmpty, grid, properties.max_grid)) {
    return fmt::format(
        "a grid of {} blocks has none in {}: round up, (n + block - 1) / block, and launch nothing "
        "where n is 0",
        Text(grid), empty->name);
  }
  if (const auto beyond = First(&Dimension::IsBeyond, block, properties.max_block)) {
    return fmt::format("a block of {} threads has {} in {}, and the limit is {}: use more blocks",
                       Text(block), beyond->extent, beyond->name, beyond->limit);
  }
  if (block.Count() > properties.max_threads_per_block) {
    return fmt::format(
        "a block of {} has {} threads, and the limit is {}: use smaller blocks, or let each thread "
        "do several elements",
        Text(block), block.Count(), properties.max_threads_per_block);
  }
  if (const auto beyond = First(&Dimension::IsBeyond, grid, properties.max_grid)) {
    return fmt::format(
        "a grid of {} blocks has {} in {}, and the limit is {}: {}", Text(grid), beyond->extent,
        beyond->name, beyond->limit,
        beyond->name == 'x'
            ? "let each thread do several elements"
            : "put the largest extent into x, or let each block do several parts of the work");
  }
  return {};
}

// The same of a block's shared memory. Sizes are the program's and may be anything.
std::string WrongShared(const LaunchedKernel& kernel, const LaunchRequest& request,
                        const DeviceProperties& properties) {
  const std::uint64_t fixed = kernel.info.static_shared_bytes;
  const std::uint64_t dynamic = request.dynamic_shared_bytes;
  const std::uint64_t free = properties.shared_bytes_per_block;
  const std::uint64_t most = properties.shared_bytes_per_block_optin;
  const std::string function = kernel.name.substr(0, kernel.name.find_first_of("(<"));
  if (fixed > most || dynamic > most - fixed) {
    return fmt::format(
        "a block asks for {} bytes of dynamic shared memory beside {} of __shared__ arrays, and "
        "the limit of both is {}: use a smaller tile",
        dynamic, fixed, most);
  }
  if (fixed > free) {
    return fmt::format(
        "its __shared__ arrays take {} bytes, and the limit is {}: declare one as extern "
        "__shared__, pass its size as the third argument of <<<>>>, and allow that by "
        "cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
        fixed, free, function);
  }
  if (dynamic > free - fixed && dynamic > request.allowed_shared_bytes) {
    const std::string beside =
        fixed == 0 ? "" : fmt::format(" beside {} of __shared__ arrays", fixed);
    return fmt::format(
        "a block asks for {} bytes of dynamic shared memory{}, and without asking it may have {}: "
        "call cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before the "
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
    why = fmt::format("{} bytes of parameters were given, and the kernel takes {}",
                      request.parameters.size(), kernel.info.parameter_bytes);
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
      fmt::format("all blocks of a cooperative launch run at once: there are {}, and the device "
                  "holds {}, {} on each of {} multiprocessors "
                  "(cudaOccupancyMaxActiveBlocksPerMultiprocessor tells): launch no more, and let "
                  "each do several parts of the work",
                  request.grid.Count(), most, active_blocks, properties.multiprocessors));
}

std::optional<Refusal> CheckRegisters(const LaunchedKernel& kernel, const LaunchRequest& request,
                                      const DeviceProperties& properties) {
  const std::uint64_t threads = request.block.Count();
  const std::uint64_t registers =
      RoundUp(threads, properties.warp_size) * std::uint64_t{kernel.info.registers};
  if (registers <= properties.registers_per_block) return std::nullopt;
  return Refuse(kernel, DeviceError::kLaunchOutOfResources,
                fmt::format("a block of {} threads needs {} registers, {} a thread, and the limit "
                            "is {}: use smaller blocks, or declare the kernel "
                            "__launch_bounds__({})",
                            threads, registers, kernel.info.registers,
                            properties.registers_per_block, threads));
}

}  // namespace warpcheck

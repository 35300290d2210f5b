#include "gpu/kernel_run.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/round_up.h"

namespace warpcheck::gpu {

CUresult AllowShared(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                     const DeviceProperties& properties) {
  const std::uint64_t shared =
      std::uint64_t{kernel.info.static_shared_bytes} + request.dynamic_shared_bytes;
  if (shared <= properties.shared_bytes_per_block) return CUDA_SUCCESS;
  return api.FuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              static_cast<int>(request.dynamic_shared_bytes));
}

CUresult ReadResources(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request,
                       const DeviceProperties& properties, LaunchResources& into) {
  into.registers = kernel.info.registers;
  into.local_bytes = kernel.info.local_bytes;
  int blocks = 0;
  const CUresult result = api.OccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel.function, static_cast<int>(request.block.Count()),
      request.dynamic_shared_bytes);
  if (result != CUDA_SUCCESS) return result;
  into.active_blocks = static_cast<std::uint32_t>(std::max(blocks, 0));
  const std::uint64_t threads = RoundUp(request.block.Count(), properties.warp_size);
  into.occupancy =
      static_cast<double>(into.active_blocks * threads) / properties.max_threads_per_multiprocessor;
  return CUDA_SUCCESS;
}

CUresult StartKernel(const DriverApi& api, const GpuKernel& kernel, const LaunchRequest& request) {
  std::vector<std::byte> block = request.parameters;  // the driver's pointer is not to const
  const Dim3& grid = request.grid;
  const Dim3& threads = request.block;
  const auto shared = static_cast<unsigned>(request.dynamic_shared_bytes);  // CheckLaunch bounds it
  if (request.cooperative) {  // has no form that takes the block as it is
    std::vector<void*> arguments;
    for (const KernelParameter& parameter : kernel.info.parameters) {
      arguments.push_back(block.data() + parameter.offset);
    }
    return api.LaunchCooperativeKernel(kernel.function, grid.x, grid.y, grid.z, threads.x,
                                       threads.y, threads.z, shared, nullptr, arguments.data());
  }
  std::size_t bytes = block.size();
  std::array<void*, 5> parameters = {CU_LAUNCH_PARAM_BUFFER_POINTER, block.data(),
                                     CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  return api.LaunchKernel(kernel.function, grid.x, grid.y, grid.z, threads.x, threads.y, threads.z,
                          shared, nullptr, nullptr, block.empty() ? nullptr : parameters.data());
}

bool KernelEnding::refused() const {
  return started != CUDA_SUCCESS && !IsSticky(ToDeviceError(started));
}

KernelEnding RunKernel(const DriverApi& api, const GpuKernel& kernel,
                       const LaunchRequest& request) {
  KernelEnding ending;
  OutputCapture capture;
  ending.started = StartKernel(api, kernel, request);
  if (ending.started == CUDA_SUCCESS) ending.ended = api.CtxSynchronize();
  ending.output = capture.Finish();
  return ending;
}

}  // namespace warpcheck::gpu

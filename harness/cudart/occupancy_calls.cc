// How many blocks fit (CUDA Runtime API, "Occupancy").
#include "cudart/call.h"
#include "device/occupancy.h"

namespace warpcheck::cudart {
namespace {

cudaError_t Find(Runtime& runtime, const void* host, Function** function) {
  return runtime.registry().FindFunction(*runtime.device(), runtime.memory(), host, function);
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host,
                                                                   int threads,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Function* function = nullptr;
    if (blocks == nullptr || threads <= 0 || flags > cudaOccupancyDisableCachingOverride) {
      return cudaErrorInvalidValue;
    }
    const cudaError_t error = Find(runtime, host, &function);
    if (error != cudaSuccess) return error;
    *blocks =
        static_cast<int>(MaxActiveBlocks(runtime.device()->Properties(), *function->kernel,
                                         static_cast<unsigned>(threads), dynamic_shared_bytes));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host,
                                                          int threads,
                                                          size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, host, threads, dynamic_shared_bytes, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* host, int blocks,
                                                      int threads) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Function* function = nullptr;
    if (bytes == nullptr || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    const cudaError_t error = Find(runtime, host, &function);
    if (error != cudaSuccess) return error;
    const warpcheck::DeviceProperties& properties = runtime.device()->Properties();
    const auto wanted = static_cast<std::uint32_t>(blocks);
    const auto most =
        MaxActiveBlocks(properties, *function->kernel, static_cast<unsigned>(threads), 0);
    if (wanted > most) return cudaErrorInvalidValue;
    *bytes = AvailableDynamicShared(properties, *function->kernel, wanted);
    return cudaSuccess;
  });
}

// Kernels' attributes (CUDA Runtime API, "Execution Control").
#include "cudart/call.h"
#include "device/kernel_resources.h"

namespace warpcheck::cudart {
namespace {

// Runs `body` with a registered kernel.
template <class Body>
cudaError_t WithFunction(const void* host, Body&& body) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Function* function = nullptr;
    const cudaError_t error =
        runtime.registry().FindFunction(*runtime.device(), runtime.memory(), host, &function);
    return error == cudaSuccess ? body(runtime, *function) : error;
  });
}

int DynamicSharedLimit(const DeviceProperties& properties, const Function& function) {
  if (function.dynamic_shared_limit) return *function.dynamic_shared_limit;
  return static_cast<int>(properties.shared_bytes_per_block) -
         static_cast<int>(function.kernel->static_shared_bytes);
}

cudaError_t SetDynamicShared(const DeviceProperties& properties, Function& function, int bytes) {
  const std::int64_t total = std::int64_t{bytes} + function.kernel->static_shared_bytes;
  if (bytes < 0 || total > properties.shared_bytes_per_block_optin) return cudaErrorInvalidValue;
  function.dynamic_shared_limit = bytes;
  return cudaSuccess;
}

cudaError_t SetAttribute(Runtime& runtime, Function& function, cudaFuncAttribute attribute,
                         int value) {
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      return SetDynamicShared(runtime.device()->Properties(), function, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      function.shared_carveout = value;
      return cudaSuccess;
    default:
      return NotSupported(runtime, "cudaFuncSetAttribute for thread block clusters");
  }
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

// Members are set one by one: the struct is longer in later versions of CUDA.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return WithFunction(host, [&](Runtime& runtime, const Function& function) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const warpcheck::DeviceProperties& properties = runtime.device()->Properties();
    const warpcheck::KernelInfo& kernel = *function.kernel;
    const int architecture = properties.compute_major * 10 + properties.compute_minor;
    attributes->sharedSizeBytes = kernel.static_shared_bytes;
    attributes->constSizeBytes = kernel.constant_bytes;
    attributes->localSizeBytes = kernel.local_bytes;
    attributes->maxThreadsPerBlock = static_cast<int>(kernel.max_threads_per_block);
    attributes->numRegs = static_cast<int>(kernel.registers);
    attributes->ptxVersion = architecture;
    attributes->binaryVersion = architecture;
    attributes->cacheModeCA = 0;
    attributes->maxDynamicSharedSizeBytes = DynamicSharedLimit(properties, function);
    attributes->preferredShmemCarveout = function.shared_carveout;
    attributes->clusterDimMustBeSet = 0;
    attributes->requiredClusterWidth = 0;
    attributes->requiredClusterHeight = 0;
    attributes->requiredClusterDepth = 0;
    attributes->clusterSchedulingPolicyPreference = 0;
    attributes->nonPortableClusterSizeAllowed = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  return WithFunction(host, [&](Runtime& runtime, Function& function) {
    return SetAttribute(runtime, function, attribute, value);
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* host, cudaFuncCache config) {
  return WithFunction(host, [&](Runtime&, const Function&) {
    return config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual
               ? cudaErrorInvalidValue
               : cudaSuccess;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* host, cudaSharedMemConfig config) {
  return WithFunction(host, [&](Runtime&, const Function&) {
    return config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte
               ? cudaErrorInvalidValue
               : cudaSuccess;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* host) {
  return WithFunction(host, [&](Runtime&, const Function& function) {
    if (name == nullptr) return cudaErrorInvalidValue;
    *name = function.name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* host, size_t index, size_t* offset, size_t* size) {
  return WithFunction(host, [&](Runtime&, const Function& function) {
    const auto& parameters = function.kernel->parameters;
    if (offset == nullptr || index >= parameters.size()) return cudaErrorInvalidValue;
    *offset = parameters[index].offset;
    if (size != nullptr) *size = parameters[index].size;
    return cudaSuccess;
  });
}

// How many blocks fit (CUDA Runtime API, "Occupancy").

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

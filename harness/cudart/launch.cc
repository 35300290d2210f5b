// Kernel launches (CUDA Runtime API, "Execution Control"; nvcc's crt/host_runtime.h).
#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/demangle.h"
#include "cudart/call.h"

namespace warpcheck::cudart {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

// Those of the <<<>>> of this thread that has not been launched yet: its arguments may contain
// launches of their own.
std::vector<Configuration>& PushedConfigurations() {
  thread_local std::vector<Configuration> pushed;
  return pushed;
}

Dim3 ToDim3(const dim3& extent) { return {.x = extent.x, .y = extent.y, .z = extent.z}; }

// Arguments are given as pointers, in order; their sizes and offsets are the kernel's.
cudaError_t PackArguments(const KernelInfo& kernel, void** arguments,
                          std::vector<std::byte>* block) {
  block->assign(kernel.parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    if (arguments == nullptr || arguments[i] == nullptr) return cudaErrorInvalidValue;
    if (std::uint64_t{parameter.offset} + parameter.size > block->size()) {
      return cudaErrorInvalidKernelImage;
    }
    std::memcpy(block->data() + parameter.offset, arguments[i], parameter.size);
  }
  return cudaSuccess;
}

cudaError_t RunOnDevice(Runtime& runtime, const LaunchRequest& request) {
  runtime.late_copies().Deliver();
  const DeviceError pushed = runtime.memory().Push(*runtime.device());
  if (pushed != DeviceError::kSuccess) return ToCuda(pushed);
  const DeviceError error = runtime.device()->Launch(request);
  if (error != DeviceError::kSuccess) return ToCuda(error);
  return ToCuda(runtime.memory().Pull(*runtime.device()));
}

cudaError_t Launch(Runtime& runtime, const void* host, const Configuration& configuration,
                   void** arguments) {
  Function* function = nullptr;
  cudaError_t error =
      runtime.registry().FindFunction(*runtime.device(), runtime.memory(), host, &function);
  if (error != cudaSuccess) return error;
  if (!runtime.streams().Knows(configuration.stream)) return cudaErrorInvalidResourceHandle;
  LaunchRequest request = {.module = function->binary->module->id,
                           .kernel = function->name,
                           .grid = ToDim3(configuration.grid),
                           .block = ToDim3(configuration.block),
                           .dynamic_shared_bytes = configuration.shared_bytes,
                           .allowed_shared_bytes = static_cast<std::uint64_t>(
                               function->dynamic_shared_limit.value_or(0)),
                           .cooperative = configuration.cooperative,
                           .parameters = {}};
  error = PackArguments(*function->kernel, arguments, &request.parameters);
  if (error == cudaSuccess) error = RunOnDevice(runtime, request);
  if (error == cudaSuccess && !runtime.streams().DefaultWaitsFor(configuration.stream)) {
    runtime.late_copies().AddKernel(configuration.stream, Demangle(request.kernel));
  }
  return error;
}

// Set from the end of the <<<>>> to its launch.
bool& InChevrons() {
  thread_local bool inside = false;
  return inside;
}

// What <<<>>> returns, the program cannot see: it has to ask for the error.
void NoteRefused(Runtime& runtime, const void* host, const Configuration& configuration,
                 cudaError_t error) {
  const std::string* kernel = runtime.registry().NameOf(host);
  const std::string caller = CurrentCall(host).caller;
  runtime.misuse().LaunchRefused(fmt::format(
      "the launch of {}<<<({}, {}, {}), ({}, {}, {})>>>{} failed with {}, and the program never "
      "asks "
      "for that: cudaGetLastError() after a launch does",
      kernel == nullptr ? "a kernel" : Demangle(*kernel), configuration.grid.x,
      configuration.grid.y, configuration.grid.z, configuration.block.x, configuration.block.y,
      configuration.block.z, caller.empty() ? "" : " in " + caller, cudaGetErrorName(error)));
}

cudaError_t Launch(const void* host, const Configuration& configuration, void** arguments) {
  const bool chevrons = std::exchange(InChevrons(), false);
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    const cudaError_t error = Launch(runtime, host, configuration, arguments);
    if (chevrons && error != cudaSuccess && !IsSticky(static_cast<DeviceError>(error))) {
      NoteRefused(runtime, host, configuration, error);
    }
    return error;
  });
}

// What a launch attribute asks for; hints about speed alone are accepted.
cudaError_t Apply(Runtime& runtime, const cudaLaunchAttribute& attribute,
                  Configuration* configuration) {
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      configuration->cooperative = attribute.val.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension: {
      const auto& cluster = attribute.val.clusterDim;
      if (cluster.x * cluster.y * cluster.z <= 1) return cudaSuccess;
      return NotSupported(runtime, "cudaLaunchKernelEx with a thread block cluster");
    }
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    default:
      return NotSupported(runtime, "cudaLaunchKernelEx with an unusual attribute");
  }
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                                CUstream_st* stream) {
  PushedConfigurations().push_back({grid, block, shared_bytes, stream});
  return 0;
}

extern "C" cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes,
                                                  void* stream) {
  auto& pushed = PushedConfigurations();
  if (pushed.empty()) {
    return Call(Timing::kHost, [](Runtime&) { return cudaErrorMissingConfiguration; });
  }
  *grid = pushed.back().grid;
  *block = pushed.back().block;
  *shared_bytes = pushed.back().shared_bytes;
  std::memcpy(stream, &pushed.back().stream, sizeof(cudaStream_t));
  pushed.pop_back();
  InChevrons() = true;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return Launch(function, {grid, block, shared_bytes, stream}, arguments);
}

// A kernel's handle is the address of its stub, so that handles work wherever stubs do.
extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                          void** arguments, size_t shared_bytes,
                                          cudaStream_t stream) {
  return Launch(kernel, {grid, block, shared_bytes, stream}, arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes,
                                        cudaStream_t stream) {
  return Launch(function, {grid, block, shared_bytes, stream, true}, arguments);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) {
      return cudaErrorInvalidValue;
    }
    Configuration configuration = {config->gridDim, config->blockDim, config->dynamicSmemBytes,
                                   config->stream};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaError_t error = Apply(runtime, config->attrs[i], &configuration);
      if (error != cudaSuccess) return error;
    }
    return Launch(runtime, function, configuration, arguments);
  });
}

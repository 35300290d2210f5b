// Implements kernel launches (CUDA Runtime API, "Execution Control"; nvcc's crt/host_runtime.h).
#include "cudart/calls/launch.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/text/demangle.h"
#include "cudart/call.h"
#include "cudart/runtime.h"
#include "cudart/saved_bytes.h"
#include "cudart/stream_capture.h"
#include "debuginfo/call_site.h"
#include "debuginfo/host_lines.h"
#include "hardware/occupancy.h"

namespace warpcheck::cudart {
namespace {

struct Configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
  bool programmatic = false;
  std::uint64_t place = 0;  // where the program goes on after <<<>>>; 0 if unknown
};

// The configurations of this thread's <<<>>> that have not been launched yet. There may be several,
// because the arguments of a launch may contain launches.
std::vector<Configuration>& PushedConfigurations() {
  thread_local std::vector<Configuration> pushed;
  return pushed;
}

Dim3 ToDim3(const dim3& extent) { return {.x = extent.x, .y = extent.y, .z = extent.z}; }

// A kernel that has run: the memory that it has used, and what it has written to memory of both
// sides, which the host sees when it waits for the kernel.
struct LaunchResult {
  LaunchMemory memory;
  std::vector<order::LateWrite> late;
};

cudaError_t RunOnDevice(Runtime& runtime, const LaunchRequest& request, LaunchResult* result) {
  const auto before_use = [&](const Allocation& allocation) {
    runtime.host.late().Deliver(allocation.host, allocation.bytes);
  };
  WARPCHECK_TRY_CODE(ToCuda(runtime.memory.Launch(*runtime.device, request, before_use)));
  if (runtime.host.TakesUses() || runtime.memory.SharesSome()) {
    result->memory = MemoryOfLaunch(runtime.memory, runtime.device->TakeUses());
  }
  if (!runtime.host.ChecksOrder()) result->memory.unseen.clear();
  std::vector<SavedBytes> saved;
  for (const MemoryUse& use : result->memory.unseen) {
    saved.emplace_back(reinterpret_cast<std::byte*>(use.begin), Strides{},
                       Extent3{.width = use.end - use.begin});
  }
  const std::vector<MemoryUse>& uses = result->memory.uses.uses;
  const bool complete = !uses.empty() && uses.size() < kMostUses;
  WARPCHECK_TRY_CODE(ToCuda(runtime.memory.Pull(*runtime.device, complete ? &uses : nullptr)));
  for (SavedBytes& one : saved) result->late.push_back(one.TakeNew());
  return cudaSuccess;
}

cudaError_t Launch(Runtime& runtime, const void* host, const Configuration& configuration,
                   void** arguments) {
  KernelNode kernel{.function = host,
                    .grid = configuration.grid,
                    .block = configuration.block,
                    .shared_bytes = configuration.shared_bytes,
                    .cooperative = configuration.cooperative,
                    .programmatic = configuration.programmatic};
  WARPCHECK_TRY_CODE(PackArguments(runtime, arguments, &kernel));
  if (!runtime.streams.Knows(configuration.stream)) return cudaErrorInvalidResourceHandle;
  const auto [refused, capture] =
      AdmitWork(runtime, configuration.stream, Timing::kQueue, configuration.place);
  if (refused != cudaSuccess) return refused;
  if (capture != nullptr) {
    return AddCaptured(runtime, *capture, configuration.stream, std::move(kernel),
                       configuration.place);
  }
  return RunKernel(runtime, configuration.stream, std::move(kernel), configuration.place);
}

// True between the evaluation of <<<>>> and its launch.
bool& InChevrons() {
  thread_local bool inside = false;
  return inside;
}

// The address at which the program continues after its last <<<>>>.
std::uint64_t& PlaceOfChevrons() {
  thread_local std::uint64_t place = 0;
  return place;
}

// Returns the address of a <<<>>>, or of the call of a library whose headers have the <<<>>>.
std::uint64_t LineOfTheAuthor(std::uint64_t chevrons) {
  HostLines& lines = HostLines::OfProcess();
  if (lines.OfCall(chevrons).known()) return chevrons;
  const std::uint64_t call = CurrentCall().address;
  return lines.OfCall(call).known() ? call : chevrons;
}

// Records that a launch was refused. A program does not see what <<<>>> returns, and must ask for
// the error.
void NoteRefused(Runtime& runtime, const void* host, const Configuration& configuration,
                 cudaError_t error) {
  const std::string* kernel = runtime.registry.NameOf(host);
  const std::string caller = CurrentCall(host).caller;
  runtime.misuse.LaunchRefused(
      fmt::format(
          "the launch of {}<<<({}, {}, {}), ({}, {}, {})>>>{} failed with {}, and the program "
          "never checks this error: cudaGetLastError() after a launch returns it",
          kernel == nullptr ? "a kernel" : Demangle(*kernel), configuration.grid.x,
          configuration.grid.y, configuration.grid.z, configuration.block.x, configuration.block.y,
          configuration.block.z, caller.empty() ? "" : " in " + caller, cudaGetErrorName(error)),
      configuration.place);
}

cudaError_t Launch(const void* host, Configuration configuration, void** arguments) {
  const bool chevrons = std::exchange(InChevrons(), false);
  if (chevrons) configuration.place = LineOfTheAuthor(PlaceOfChevrons());
  const CallsAt here(configuration.place);
  return Call(Timing::kQueue, [&](Runtime& runtime) {
    const cudaError_t error = Launch(runtime, host, configuration, arguments);
    if (chevrons && error != cudaSuccess && !IsSticky(static_cast<DeviceError>(error))) {
      NoteRefused(runtime, host, configuration, error);
    }
    return error;
  });
}

// Applies a launch attribute. Hints that affect only speed are accepted.
cudaError_t Apply(Runtime& runtime, const cudaLaunchAttribute& attribute,
                  Configuration* configuration) {
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      configuration->cooperative = attribute.val.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeProgrammaticStreamSerialization:
      configuration->programmatic = attribute.val.programmaticStreamSerializationAllowed != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension: {
      const auto& cluster = attribute.val.clusterDim;
      if (cluster.x == 1 && cluster.y == 1 && cluster.z == 1) return cudaSuccess;
      return NotSupported(runtime, "cudaLaunchKernelEx with a thread block cluster");
    }
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
      return cudaSuccess;
    default:
      return NotSupported(runtime, "cudaLaunchKernelEx with an unusual attribute");
  }
}

// Runs `body` with a registered kernel.
template <class Body>
cudaError_t WithFunction(const void* host, Body&& body) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Function* function = nullptr;
    WARPCHECK_TRY_CODE(runtime.registry.FindFunction(runtime, host, &function));
    return body(runtime, *function);
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
      return SetDynamicShared(runtime.device->Properties(), function, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      function.shared_carveout = value;
      return cudaSuccess;
    default:
      return NotSupported(runtime, "cudaFuncSetAttribute for thread block clusters");
  }
}

}  // namespace

cudaError_t PackArguments(Runtime& runtime, void** arguments, KernelNode* kernel) {
  Function* function = nullptr;
  WARPCHECK_TRY_CODE(runtime.registry.FindFunction(runtime, kernel->function, &function));
  std::vector<std::byte>& block = kernel->arguments;
  block.assign(function->kernel->parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < function->kernel->parameters.size(); ++i) {
    const KernelParameter& parameter = function->kernel->parameters[i];
    if (arguments == nullptr || arguments[i] == nullptr) return cudaErrorInvalidValue;
    if (std::uint64_t{parameter.offset} + parameter.size > block.size()) {
      return cudaErrorInvalidKernelImage;
    }
    std::memcpy(block.data() + parameter.offset, arguments[i], parameter.size);
  }
  return cudaSuccess;
}

cudaError_t RunKernel(Runtime& runtime, Lane lane, KernelNode kernel, std::uint64_t place) {
  Function* function = nullptr;
  WARPCHECK_TRY_CODE(runtime.registry.FindFunction(runtime, kernel.function, &function));
  const LaunchRequest request = {.module = function->binary->module->id,
                                 .kernel = function->name,
                                 .grid = ToDim3(kernel.grid),
                                 .block = ToDim3(kernel.block),
                                 .dynamic_shared_bytes = kernel.shared_bytes,
                                 .allowed_shared_bytes = static_cast<std::uint64_t>(
                                     function->dynamic_shared_limit.value_or(0)),
                                 .cooperative = kernel.cooperative,
                                 .parameters = std::move(kernel.arguments)};
  LaunchResult result;
  WARPCHECK_TRY_CODE(RunOnDevice(runtime, request, &result));
  HostEvent event = runtime.host.EventIn(lane, HostEvent::Kind::kKernel);
  event.site = {.function = "a kernel launch", .caller = {}, .address = place};
  event.kernel = Demangle(request.kernel);
  event.programmatic = kernel.programmatic;
  if (runtime.host.TakesUses()) {
    event.uses = std::move(result.memory.uses);
    event.tells_the_host = result.memory.tells_the_host;
  }
  event.late = std::move(result.late);
  runtime.host.Append(std::move(event));
  return cudaSuccess;
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                                CUstream_st* stream) {
  PushedConfigurations().push_back(
      {.grid = grid,
       .block = block,
       .shared_bytes = shared_bytes,
       .stream = stream,
       .place = reinterpret_cast<std::uint64_t>(__builtin_return_address(0))});
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
  PlaceOfChevrons() = pushed.back().place;
  pushed.pop_back();
  InChevrons() = true;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) {
  return Launch(function, {grid, block, shared_bytes, stream}, arguments);
}

// The handle of a kernel is the address of its stub, so that a handle works wherever a stub does.
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
      WARPCHECK_TRY_CODE(Apply(runtime, config->attrs[i], &configuration));
    }
    return Launch(runtime, function, configuration, arguments);
  });
}

// Implements the attributes of kernels (CUDA Runtime API, "Execution Control").

// Sets the members one by one, because the struct is longer in later versions of CUDA.
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return WithFunction(host, [&](Runtime& runtime, const Function& function) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const warpcheck::DeviceProperties& properties = runtime.device->Properties();
    const warpcheck::KernelInfo& kernel = *function.kernel;
    const int architecture = properties.target();
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

// Computes the occupancy: how many blocks fit on a multiprocessor (CUDA Runtime API, "Occupancy").

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host,
                                                                   int threads,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    Function* function = nullptr;
    if (blocks == nullptr || threads <= 0 || flags > cudaOccupancyDisableCachingOverride) {
      return cudaErrorInvalidValue;
    }
    WARPCHECK_TRY_CODE(runtime.registry.FindFunction(runtime, host, &function));
    *blocks =
        static_cast<int>(MaxActiveBlocks(runtime.device->Properties(), *function->kernel,
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
    WARPCHECK_TRY_CODE(runtime.registry.FindFunction(runtime, host, &function));
    const warpcheck::DeviceProperties& properties = runtime.device->Properties();
    const auto wanted = static_cast<std::uint32_t>(blocks);
    const auto most =
        MaxActiveBlocks(properties, *function->kernel, static_cast<unsigned>(threads), 0);
    if (wanted > most) return cudaErrorInvalidValue;
    *bytes = AvailableDynamicShared(properties, *function->kernel, wanted);
    return cudaSuccess;
  });
}

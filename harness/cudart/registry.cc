#include "cudart/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/demangle.h"
#include "cudart/cudart.h"
#include "cudart/fat_binary.h"
#include "cudart/runtime.h"

namespace warpcheck::cudart {
namespace {

// The kernel or variable of that name; nullptr where there is none.
template <class Info>
const Info* Named(const std::vector<Info>& infos, const std::string& name) {
  const auto found = std::ranges::find(infos, name, &Info::name);
  return found == infos.end() ? nullptr : &*found;
}

}  // namespace

FatBinary* Registry::AddBinary(const void* wrapper) {
  return &binaries_.emplace_back(FatBinary{.wrapper = wrapper});
}

void Registry::RemoveBinary(FatBinary* binary, MemoryTable& memory) {
  const auto belongs = [&](const auto& entry) { return entry.second.binary == binary; };
  for (const auto& [host, variable] : variables_) {
    if (variable.binary == binary) memory.ForgetVariable(variable.managed);
  }
  std::erase_if(functions_, belongs);
  std::erase_if(variables_, belongs);
  std::erase_if(binaries_, [&](const FatBinary& other) { return &other == binary; });
}

bool Registry::Knows(const FatBinary* binary) const {
  return std::ranges::any_of(binaries_, [&](const FatBinary& other) { return &other == binary; });
}

cudaError_t Registry::FindFunction(Runtime& runtime, const void* host, Function** function) {
  const auto found = functions_.find(host);
  if (found == functions_.end()) return cudaErrorInvalidDeviceFunction;
  WARPCHECK_TRY_CODE(Load(runtime, *found->second.binary));
  if (found->second.kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  *function = &found->second;
  return cudaSuccess;
}

const std::string* Registry::NameOf(const void* host) const {
  const auto found = functions_.find(host);
  return found == functions_.end() ? nullptr : &found->second.name;
}

cudaError_t Registry::FindVariable(Runtime& runtime, const void* host, Variable** variable) {
  auto found = variables_.find(host);
  if (found == variables_.end()) {  // a managed variable is named by the address of its memory
    found = std::ranges::find_if(variables_, [&](const auto& entry) {
      return host != nullptr && entry.second.managed != nullptr && *entry.second.managed == host;
    });
  }
  if (found == variables_.end()) return cudaErrorInvalidSymbol;
  WARPCHECK_TRY_CODE(Load(runtime, *found->second.binary));
  if (found->second.address == 0) return cudaErrorInvalidSymbol;
  *variable = &found->second;
  return cudaSuccess;
}

cudaError_t Registry::Load(Runtime& runtime, FatBinary& binary) {
  if (binary.module) return cudaSuccess;
  if (binary.load_error != cudaSuccess) return binary.load_error;
  binary.load_error = LoadPtx(*runtime.device, binary);
  if (binary.load_error != cudaSuccess) return binary.load_error;
  Resolve(binary);
  return MapManaged(runtime, binary);
}

cudaError_t Registry::LoadPtx(Device& device, FatBinary& binary) {
  const DeviceProperties& properties = device.Properties();
  const int architecture = properties.compute_major * 10 + properties.compute_minor;
  const auto ptx = PtxBehind(binary.wrapper, architecture);
  if (!ptx) {
    std::fprintf(stderr, "warpcheck: %s\n", ptx.error().Text().c_str());
    return cudaErrorNoKernelImageForDevice;
  }
  auto module = device.LoadModule(*ptx);
  if (!module) return ToCuda(module.error());
  binary.module = std::move(*module);
  return cudaSuccess;
}

void Registry::Resolve(FatBinary& binary) {
  for (auto& [host, function] : functions_) {
    if (function.binary == &binary) function.kernel = Named(binary.module->kernels, function.name);
  }
  for (auto& [host, variable] : variables_) {
    if (variable.binary != &binary) continue;
    const VariableInfo* info = Named(binary.module->variables, variable.name);
    if (info != nullptr && info->bytes >= variable.bytes) variable.address = info->address;
  }
}

cudaError_t Registry::MapManaged(Runtime& runtime, const FatBinary& binary) {
  for (auto& [host, variable] : variables_) {
    if (variable.binary != &binary || variable.managed == nullptr || variable.address == 0)
      continue;
    WARPCHECK_TRY_CODE(runtime.memory.MapVariable(*runtime.device, variable.address, variable.bytes,
                                                  variable.managed));
  }
  return cudaSuccess;
}

void Registry::PlaceManaged(MemoryTable& memory, const FatBinary& binary) {
  for (auto& [host, variable] : variables_) {
    if (variable.binary == &binary && variable.managed != nullptr) {
      memory.PlaceVariable(0, variable.bytes, variable.managed);
    }
  }
}

void Registry::ForgetModules() {
  for (FatBinary& binary : binaries_) {
    binary.module.reset();
    binary.load_error = cudaSuccess;
  }
  for (auto& [host, function] : functions_) {
    function.kernel = nullptr;
    function.dynamic_shared_limit.reset();
    function.shared_carveout = -1;
  }
  for (auto& [host, variable] : variables_) variable.address = 0;
}

namespace {

struct Library {
  std::string_view start;  // of its functions' names
  std::string_view name;
};

constexpr Library kLibraries[] = {
    {"cublas", "cuBLAS"},     {"cufft", "cuFFT"}, {"curand", "cuRAND"}, {"cusolver", "cuSOLVER"},
    {"cusparse", "cuSPARSE"}, {"cudnn", "cuDNN"}, {"nvrtc", "NVRTC"},   {"npp", "NPP"},
    {"GOMP_", "OpenMP"},      {"omp_", "OpenMP"}, {"MPI_", "MPI"},      {"nvtx", "NVTX"},
};

// "cuLaunchKernel"
bool IsDriverCall(std::string_view symbol) {
  return symbol.size() > 2 && symbol.starts_with("cu") && symbol[2] >= 'A' && symbol[2] <= 'Z';
}

}  // namespace

std::string ExplainLoadFailure(std::string_view reason) {
  constexpr std::string_view kUndefined = "undefined symbol: ";
  const std::size_t at = reason.find(kUndefined);
  if (at == std::string_view::npos) return std::string(reason);
  const std::string_view rest = reason.substr(at + kUndefined.size());
  const std::string symbol(rest.substr(0, rest.find_first_of(", \n")));
  if (symbol.starts_with("__cudaRegisterLinkedBinary")) {
    return "the object was compiled with -rdc=true, which warpcheck does not offer: compile "
           "without";
  }
  if (symbol.starts_with("cuda") || symbol.starts_with("__cuda")) {
    return "the object calls " + symbol +
           ", which is not in the CUDA runtime that warpcheck offers";
  }
  for (const Library& library : kLibraries) {
    if (symbol.starts_with(library.start)) {
      return fmt::format("the object calls {}, of {}, which is not offered: write it yourself",
                         symbol, library.name);
    }
  }
  if (IsDriverCall(symbol)) {
    return fmt::format("the object calls {}, of CUDA's driver: use the runtime's cuda... functions",
                       symbol);
  }
  return fmt::format(
      "{} is called or used, and defined nowhere: define it in a .cu file, with the parameter "
      "types "
      "of its declaration",
      Demangle(symbol));
}

// What nvcc's objects call when they are loaded and unloaded (crt/host_runtime.h).

namespace {

FatBinary* BinaryOf(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

// Registering needs no device. It cannot report an error: running out of memory ends the process.
template <class Body>
void WithRegistry(void** handle, Body&& body) noexcept {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  if (runtime.registry.Knows(BinaryOf(handle))) body(runtime.registry);
}

cudaError_t GetHandle(void** handle, const void* host) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (runtime.registry.NameOf(host) == nullptr) return cudaErrorInvalidDeviceFunction;
    *handle = const_cast<void*>(host);
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex);
  return reinterpret_cast<void**>(runtime.registry.AddBinary(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

// The device keeps the module: by now, at the end of the process, it may be gone itself.
void __cudaUnregisterFatBinary(void** handle) {
  WithRegistry(handle, [&](Registry& registry) {
    registry.RemoveBinary(BinaryOf(handle), Runtime::Get().memory);
  });
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  WithRegistry(handle, [&](Registry& registry) {
    registry.AddFunction(host, {.binary = BinaryOf(handle), .name = name});
  });
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, size_t bytes, int,
                       int) {
  WithRegistry(handle, [&](Registry& registry) {
    registry.AddVariable(host, {.binary = BinaryOf(handle), .name = name, .bytes = bytes});
  });
}

void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int,
                              size_t bytes, int, int) {
  WithRegistry(handle, [&](Registry& registry) {
    registry.AddVariable(
        host, {.binary = BinaryOf(handle), .name = name, .bytes = bytes, .managed = host});
  });
}

// Called before a managed variable is used on the host, which goes on whatever the result: the
// variable gets memory even without a device. Never says "done", so that it is called again for
// the next device.
char __cudaInitModule(void** handle) {
  Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.registry.Knows(BinaryOf(handle))) return cudaErrorInvalidResourceHandle;
    return runtime.registry.Load(runtime, *BinaryOf(handle));
  });
  WithRegistry(handle, [&](Registry& registry) {
    registry.PlaceManaged(Runtime::Get().memory, *BinaryOf(handle));
  });
  return 0;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return GetHandle(reinterpret_cast<void**>(kernel), host);
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host) {
  return GetHandle(reinterpret_cast<void**>(kernel), host);
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host) {
  return GetHandle(reinterpret_cast<void**>(function), host);
}

}  // extern "C"

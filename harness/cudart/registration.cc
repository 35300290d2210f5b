// What nvcc's objects call when they are loaded and unloaded (crt/host_runtime.h).
#include "cudart/call.h"

namespace warpcheck::cudart {
namespace {

FatBinary* BinaryOf(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

// Registering needs no device. It cannot report an error: running out of memory ends the process.
template <class Body>
void WithRegistry(void** handle, Body&& body) noexcept {
  Runtime& runtime = Runtime::Get();
  const std::lock_guard lock(runtime.mutex());
  if (runtime.registry().Knows(BinaryOf(handle))) body(runtime.registry());
}

cudaError_t GetHandle(void** handle, const void* host) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (handle == nullptr) return cudaErrorInvalidValue;
    if (!runtime.registry().HasFunction(host)) return cudaErrorInvalidDeviceFunction;
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
  const std::lock_guard lock(runtime.mutex());
  return reinterpret_cast<void**>(runtime.registry().AddBinary(wrapper));
}

void __cudaRegisterFatBinaryEnd(void**) {}

// The device keeps the module: by now, at the end of the process, it may be gone itself.
void __cudaUnregisterFatBinary(void** handle) {
  WithRegistry(handle, [&](Registry& registry) {
    registry.RemoveBinary(BinaryOf(handle), Runtime::Get().memory());
  });
}

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  WithRegistry(handle, [&](Registry& registry) {
    registry.AddFunction(host,
                         {.binary = BinaryOf(handle), .name = name, .dynamic_shared_limit = {}});
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
    if (!runtime.registry().Knows(BinaryOf(handle))) return cudaErrorInvalidResourceHandle;
    return runtime.registry().Load(*runtime.device(), runtime.memory(), *BinaryOf(handle));
  });
  WithRegistry(handle, [&](Registry& registry) {
    registry.PlaceManaged(Runtime::Get().memory(), *BinaryOf(handle));
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

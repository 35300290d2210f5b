// Implements the functions that nvcc's objects call when they are loaded and unloaded
// (crt/host_runtime.h).
#include <mutex>

#include "cudart/call.h"
#include "cudart/registry.h"

namespace warpcheck::cudart {
namespace {

FatBinary* BinaryOf(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

// Registering needs no device. It cannot report errors: if memory runs out, the process ends.
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

// The device keeps the module, because the device itself may be destroyed before this call at the
// end of the process.
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

// nvcc's code calls this function before the host uses a managed variable, and ignores the result:
// the variable gets memory even without a device. The function never returns "done", so that it is
// called again for the next device.
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

}  // end of extern "C"

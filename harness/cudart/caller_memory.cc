#include "cudart/caller_memory.h"

#include <algorithm>

#include "cudart/call.h"

namespace warpcheck::cudart {

std::byte* AllocateForCaller(CallerMemory kind, std::size_t bytes) {
  void* pointer = nullptr;
  const bool managed = kind == CallerMemory::kManaged;
  const cudaError_t error = Call(Timing::kHost, [&](Runtime& runtime) {
    const cudaError_t failed = runtime.memory.AllocateHost(
        *runtime.device, managed ? MemoryKind::kManaged : MemoryKind::kPinned,
        std::max<std::size_t>(bytes, 1), managed ? cudaMemAttachGlobal : cudaHostAllocDefault,
        &pointer);
    if (failed == cudaSuccess) runtime.host.Start();
    return failed;
  });
  return error == cudaSuccess ? static_cast<std::byte*>(pointer) : nullptr;
}

}  // namespace warpcheck::cudart

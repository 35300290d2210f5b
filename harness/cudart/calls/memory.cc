// Implements allocation (CUDA Runtime API, "Memory Management", "Unified Addressing").
#include <memory>
#include <utility>

#include "cudart/call.h"
#include "cudart/calls/graphs/graph_memory.h"
#include "cudart/runtime.h"
#include "cudart/stream_capture.h"
#include "cudart/stream_memory.h"

namespace warpcheck::cudart {
namespace {

constexpr std::size_t kPitchUnit = 512;  // in bytes, as on all GPUs so far
constexpr unsigned kHostAllocFlags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned kHostRegisterFlags = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                        cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

cudaError_t AllocateDevice(Runtime& runtime, std::size_t bytes, void** pointer) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  WARPCHECK_TRY_CODE(runtime.memory.AllocateDevice(*runtime.device, bytes, pointer));
  runtime.misuse.Allocated(*pointer, bytes);
  return cudaSuccess;
}

// A captured allocation is a node of the graph, which owns the memory.
cudaError_t AllocateInCapture(Runtime& runtime, Capture& capture, cudaStream_t stream,
                              std::size_t bytes, void** pointer) {
  if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
  AllocNode node{.memory = {}, .properties = {}};
  node.properties.allocType = cudaMemAllocationTypePinned;
  node.properties.location = {.type = cudaMemLocationTypeDevice, .id = 0};
  WARPCHECK_TRY_CODE(ReserveGraphMemory(runtime, bytes, &node.memory));
  *pointer = node.memory->pointer;
  return AddCaptured(runtime, capture, stream, std::move(node));
}

cudaError_t FreeInCapture(Runtime& runtime, Capture& capture, cudaStream_t stream,
                          const void* pointer) {
  const std::shared_ptr<GraphMemory> memory = runtime.graphs.MemoryAt(pointer);
  if (memory == nullptr || memory->freed_by_node) return cudaErrorInvalidValue;
  memory->freed_by_node = true;
  return AddCaptured(runtime, capture, stream, FreeNode{memory});
}

cudaError_t AllocateOfPool(Runtime& runtime, std::size_t bytes, cudaMemPool_t pool,
                           cudaStream_t stream, void** pointer) {
  if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
  if (runtime.pools.Find(pool) == nullptr) return cudaErrorInvalidValue;
  const auto [refused, capture] = AdmitWork(runtime, stream, Timing::kQueue);
  if (refused != cudaSuccess) return refused;
  if (capture != nullptr) return AllocateInCapture(runtime, *capture, stream, bytes, pointer);
  const cudaError_t error = AllocateDevice(runtime, bytes, pointer);
  if (error != cudaSuccess || *pointer == nullptr) return error;
  runtime.pools.Allocated(pool, *pointer, bytes);
  NoteAllocation(runtime, stream, *pointer, bytes);
  return cudaSuccess;
}

// Appends the free of memory by a call that no stream sees, for which all GPUs so far wait for the
// device, except for memory of a pool.
void NoteHostFree(Runtime& runtime, const void* pointer) {
  HostEvent event{.kind = runtime.pools.Holds(pointer) ? HostEvent::Kind::kPoolFree
                                                       : HostEvent::Kind::kHostFree};
  const Allocation* const allocation = runtime.memory.Find(pointer);
  if (allocation != nullptr && Address(pointer) == allocation->start) {
    event.uses.uses = {WriteOf(*allocation)};
  }
  runtime.host.Append(std::move(event));
}

cudaError_t AllocateHost(Runtime& runtime, MemoryKind kind, std::size_t bytes, unsigned flags,
                         void** pointer) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  WARPCHECK_TRY_CODE(AdmitUnsafe(runtime));
  if (bytes == 0) return kind == MemoryKind::kManaged ? cudaErrorInvalidValue : cudaSuccess;
  WARPCHECK_TRY_CODE(runtime.memory.AllocateHost(*runtime.device, kind, bytes, flags, pointer));
  if (runtime.remains != 0) {
    FillWithRemains(static_cast<std::byte*>(*pointer), bytes, runtime.remains++);
  }
  runtime.host.Start();
  if (!runtime.host.ChecksOrder()) runtime.device->WatchUses();
  runtime.misuse.Allocated(*pointer, bytes);
  return cudaSuccess;
}

cudaError_t AllocatePitched(Runtime& runtime, std::size_t width, std::size_t rows,
                            std::size_t* pitch, void** pointer) {
  std::size_t padded = 0;
  std::size_t bytes = 0;
  if (__builtin_add_overflow(width, kPitchUnit - 1, &padded)) return cudaErrorMemoryAllocation;
  padded = padded / kPitchUnit * kPitchUnit;
  if (__builtin_mul_overflow(padded, rows, &bytes)) return cudaErrorMemoryAllocation;
  *pitch = padded;
  WARPCHECK_TRY_CODE(AdmitUnsafe(runtime));
  return AllocateDevice(runtime, bytes, pointer);
}

cudaError_t Release(Runtime& runtime, const void* pointer, std::string_view call) {
  const Allocation* const allocation = runtime.memory.Find(pointer);
  if (allocation != nullptr && allocation->host != nullptr) {
    runtime.host.late().Deliver(allocation->host, allocation->bytes);
  }
  if (const auto freed = FreeGraphMemory(runtime, pointer)) return *freed;
  const cudaError_t error = runtime.memory.Release(*runtime.device, pointer, call);
  if (error == cudaSuccess) {
    runtime.misuse.Freed(pointer);
    runtime.pools.Freed(pointer);
  } else if (error == cudaErrorInvalidValue) {
    runtime.misuse.NoteInvalidFree(runtime, pointer);
  }
  return error;
}

cudaError_t Free(Runtime& runtime, const void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  return Release(runtime, pointer, "cudaFree");
}

void Describe(Runtime& runtime, const void* pointer, cudaPointerAttributes& attributes) {
  void* const plain = const_cast<void*>(pointer);
  const Allocation* allocation = runtime.memory.Find(pointer);
  attributes.device = 0;
  attributes.devicePointer = attributes.hostPointer = nullptr;
  if (allocation == nullptr) {
    const bool on_host = runtime.memory.IsOfProcess(pointer, 1);
    const auto address = reinterpret_cast<DeviceAddress>(pointer);
    const bool on_device = !on_host && runtime.device->Holds(address, 1);
    attributes.type = on_device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
    attributes.device = on_device ? 0 : cudaInvalidDeviceId;
    (on_device ? attributes.devicePointer : attributes.hostPointer) = plain;
    return;
  }
  if (allocation->host == nullptr) {
    attributes.type = cudaMemoryTypeDevice;
    attributes.devicePointer = plain;
    return;
  }
  const std::uint64_t offset = allocation->OffsetOf(pointer);
  attributes.type = allocation->managed() ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
  attributes.hostPointer = allocation->host + offset;
  attributes.devicePointer = reinterpret_cast<void*>(allocation->device + offset);
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    WARPCHECK_TRY_CODE(AdmitUnsafe(runtime));
    return AllocateDevice(runtime, bytes, pointer);
  });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    return AllocateOfPool(runtime, bytes, runtime.pools.current(), stream, pointer);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    return AllocateOfPool(runtime, bytes, pool, stream, pointer);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (pitch == nullptr) return cudaErrorInvalidValue;
    return AllocatePitched(runtime, width, height, pitch, pointer);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    std::size_t rows = 0;
    if (pitched == nullptr) return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
      return cudaErrorMemoryAllocation;
    }
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return AllocatePitched(runtime, extent.width, rows, &pitched->pitch, &pitched->ptr);
  });
}

cudaError_t cudaFree(void* pointer) {
  return Call(Timing::kWait, [&](Runtime& runtime) {
    WARPCHECK_TRY_CODE(AdmitUnsafe(runtime));
    NoteHostFree(runtime, pointer);
    return Free(runtime, pointer);
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.streams.Knows(stream)) return cudaErrorInvalidResourceHandle;
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const auto [refused, capture] = AdmitWork(runtime, stream, Timing::kQueue);
    if (refused != cudaSuccess) return refused;
    if (capture != nullptr) return FreeInCapture(runtime, *capture, stream, pointer);
    NoteFree(runtime, stream, pointer);
    return Free(runtime, pointer);
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    return AllocateHost(runtime, MemoryKind::kPinned, bytes, cudaHostAllocDefault, pointer);
  });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if ((flags & ~kHostAllocFlags) != 0) return cudaErrorInvalidValue;
    return AllocateHost(runtime, MemoryKind::kPinned, bytes, flags, pointer);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return AllocateHost(runtime, MemoryKind::kManaged, bytes, flags, pointer);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return Call(Timing::kWait, [&](Runtime& runtime) {
    WARPCHECK_TRY_CODE(AdmitUnsafe(runtime));
    if (pointer == nullptr) return cudaSuccess;
    NoteHostFree(runtime, pointer);
    return Release(runtime, pointer, "cudaFreeHost");
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (bytes == 0 || (flags & ~kHostRegisterFlags) != 0 || !warpcheck::IsMapped(pointer, bytes)) {
      return cudaErrorInvalidValue;
    }
    WARPCHECK_TRY_CODE(runtime.memory.Register(*runtime.device, pointer, bytes, flags));
    runtime.misuse.Made(HandleKind::kRegistration, pointer);
    runtime.host.Start();
    if (!runtime.host.ChecksOrder()) runtime.device->WatchUses();
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return Call(Timing::kWait, [&](Runtime& runtime) {
    WARPCHECK_TRY_CODE(AdmitUnsafe(runtime));
    NoteHostFree(runtime, pointer);
    const cudaError_t error = Release(runtime, pointer, "cudaHostUnregister");
    if (error == cudaSuccess) runtime.misuse.GaveBack(HandleKind::kRegistration, pointer);
    return error == cudaErrorInvalidValue ? cudaErrorHostMemoryNotRegistered : error;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Allocation* allocation = runtime.memory.Find(host);
    if (device == nullptr || flags != 0 || allocation == nullptr || allocation->host == nullptr) {
      return cudaErrorInvalidValue;
    }
    cudaPointerAttributes attributes;
    Describe(runtime, host, attributes);
    *device = attributes.devicePointer;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const Allocation* allocation = runtime.memory.Find(host);
    if (flags == nullptr || allocation == nullptr || !IsPinned(allocation->kind)) {
      return cudaErrorInvalidValue;
    }
    *flags = allocation->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    Describe(runtime, pointer, *attributes);
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
    const warpcheck::MemoryInfo info = runtime.device->Memory();
    *free = info.free_bytes;
    *total = info.total_bytes;
    return cudaSuccess;
  });
}

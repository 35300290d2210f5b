// Implements memory pools (CUDA Runtime API, "Stream Ordered Memory Allocator").
#include <algorithm>
#include <span>

#include "cudart/call.h"

namespace warpcheck::cudart {
namespace {

cudaError_t GetAttribute(const MemoryPool& pool, cudaMemPoolAttr attribute, void* value) {
  if (const auto reuse = pool.reuse.find(attribute); reuse != pool.reuse.end()) {
    *static_cast<int*>(value) = reuse->second;
    return cudaSuccess;
  }
  auto& number = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      number = pool.release_threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
      number = pool.Reserved();
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
      number = pool.most_reserved;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemCurrent:
      number = pool.used;
      return cudaSuccess;
    case cudaMemPoolAttrUsedMemHigh:
      number = pool.most_used;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

cudaError_t SetAttribute(MemoryPool& pool, cudaMemPoolAttr attribute, const void* value) {
  if (const auto reuse = pool.reuse.find(attribute); reuse != pool.reuse.end()) {
    reuse->second = *static_cast<const int*>(value) != 0 ? 1 : 0;
    return cudaSuccess;
  }
  const auto number = [&] { return *static_cast<const std::uint64_t*>(value); };
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool.release_threshold = number();
    return cudaSuccess;
  }
  // The peaks can only be set to zero, which resets them to the current values.
  if (attribute == cudaMemPoolAttrReservedMemHigh && number() == 0) {
    pool.most_reserved = pool.Reserved();
    return cudaSuccess;
  }
  if (attribute == cudaMemPoolAttrUsedMemHigh && number() == 0) {
    pool.most_used = pool.used;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

bool IsTheDevice(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice && location.id == 0;
}

// Runs `body` on the pool. Fails with cudaErrorInvalidValue if there is no such pool.
template <class Body>
cudaError_t OfPool(cudaMemPool_t pool, Body body) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    MemoryPool* const found = runtime.pools.Find(pool);
    return found == nullptr ? cudaErrorInvalidValue : body(*found);
  });
}

cudaError_t GivePool(cudaMemPool_t* to, int device, cudaMemPool_t pool) {
  if (to == nullptr) return cudaErrorInvalidValue;
  if (device != 0) return cudaErrorInvalidDevice;
  *to = pool;
  return cudaSuccess;
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return Call(Timing::kHost,
              [&](Runtime&) { return GivePool(pool, device, MemoryPools::Default()); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return Call(Timing::kHost,
              [&](Runtime& runtime) { return GivePool(pool, device, runtime.pools.current()); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (device != 0) return cudaErrorInvalidDevice;
    if (runtime.pools.Find(pool) == nullptr) return cudaErrorInvalidValue;
    runtime.pools.set_current(pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    if (properties->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
    if (properties->handleTypes != cudaMemHandleTypeNone || !IsTheDevice(properties->location)) {
      return NotSupported(runtime, "cudaMemPoolCreate for another place than the device");
    }
    *pool = runtime.pools.Create();
    runtime.misuse.Made(HandleKind::kMemoryPool, *pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (!runtime.pools.Destroy(pool)) return cudaErrorInvalidValue;
    runtime.misuse.GaveBack(HandleKind::kMemoryPool, pool);
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return OfPool(pool, [&](MemoryPool& found) {
    return value == nullptr ? cudaErrorInvalidValue : SetAttribute(found, attribute, value);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return OfPool(pool, [&](MemoryPool& found) {
    return value == nullptr ? cudaErrorInvalidValue : GetAttribute(found, attribute, value);
  });
}

// A pool keeps no free memory that it could return.
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return OfPool(pool, [](MemoryPool&) { return cudaSuccess; });
}

// The device has access to its own pools, and there is no other device.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  return OfPool(pool, [&](MemoryPool&) {
    if (list == nullptr || count == 0) return cudaErrorInvalidValue;
    const bool known = std::ranges::all_of(std::span(list, count), [](const auto& one) {
      return IsTheDevice(one.location) && one.flags == cudaMemAccessFlagsProtReadWrite;
    });
    return known ? cudaSuccess : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 cudaMemLocation* location) {
  return OfPool(pool, [&](MemoryPool&) {
    if (flags == nullptr || location == nullptr) return cudaErrorInvalidValue;
    if (!IsTheDevice(*location)) return cudaErrorInvalidDevice;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

// The one device, its settings, and versions (CUDA Runtime API, "Device Management", "Version
// Management", "Profiler Control").
#include <cuda_profiler_api.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cudart/runtime.h"
#include "cudart/texture_table.h"

namespace warpcheck::cudart {
namespace {

constexpr int kVersion = 13000;
constexpr unsigned kDeviceFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;

constexpr std::size_t kDefaultLimits[] = {
    1024,     // cudaLimitStackSize, bytes a thread
    1 << 20,  // cudaLimitPrintfFifoSize, bytes
    8 << 20,  // cudaLimitMallocHeapSize, bytes
    2,        // cudaLimitDevRuntimeSyncDepth
    2048,     // cudaLimitDevRuntimePendingLaunchCount
    64,       // cudaLimitMaxL2FetchGranularity, bytes
    0,        // cudaLimitPersistingL2CacheSize, bytes
};

// The setting of a limit; nullptr for no such limit.
std::size_t* LimitOf(Runtime& runtime, cudaLimit limit) {
  auto& limits = runtime.settings.limits;
  if (limits.empty()) limits.assign(std::begin(kDefaultLimits), std::end(kDefaultLimits));
  const auto index = static_cast<std::size_t>(limit);
  return index < limits.size() ? &limits[index] : nullptr;
}

template <class T>
cudaError_t Give(T* out, T value) {
  if (out == nullptr) return cudaErrorInvalidValue;
  *out = value;
  return cudaSuccess;
}

template <class T>
cudaError_t Set(T& setting, T value, T first, T last) {
  if (value < first || value > last) return cudaErrorInvalidValue;
  setting = value;
  return cudaSuccess;
}

cudaError_t OnDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaGetDeviceCount(int* count) {
  const cudaError_t error = Call(Timing::kHost, [&](Runtime&) { return Give(count, 1); });
  if (error == cudaErrorNoDevice && count != nullptr) *count = 0;
  return error;
}

cudaError_t cudaGetDevice(int* device) {
  return Call(Timing::kHost, [&](Runtime&) { return Give(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
  return Call(Timing::kHost, [&](Runtime&) { return OnDevice(device); });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return Call(Timing::kHost, [&](Runtime&) { return OnDevice(device); });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return Call(Timing::kHost, [&](Runtime&) {
    if (count < 0 || (devices == nullptr && count != 0)) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i) {
      if (devices[i] != 0) return cudaErrorInvalidDevice;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return Call(Timing::kHost, [&](Runtime&) {
    return wanted == nullptr ? cudaErrorInvalidValue : Give(device, 0);
  });
}

cudaError_t cudaDeviceSynchronize() {
  return Call(Timing::kWait, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceReset() {
  return Call(Timing::kWait, [](Runtime& runtime) {
    runtime.Reset();
    runtime.LastError() = cudaSuccess;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    std::size_t* const setting = LimitOf(runtime, limit);
    if (setting == nullptr) return cudaErrorUnsupportedLimit;
    *setting = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const std::size_t* const setting = LimitOf(runtime, limit);
    return setting == nullptr ? cudaErrorUnsupportedLimit : Give(value, *setting);
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    return Set(runtime.settings.cache, config, cudaFuncCachePreferNone, cudaFuncCachePreferEqual);
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return Call(Timing::kHost,
              [&](Runtime& runtime) { return Give(config, runtime.settings.cache); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    return Set(runtime.settings.shared_bank, config, cudaSharedMemBankSizeDefault,
               cudaSharedMemBankSizeEightByte);
  });
}

// Banks are four bytes wide whatever was asked for, as on every GPU since Maxwell.
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return Call(Timing::kHost, [&](Runtime&) { return Give(config, cudaSharedMemBankSizeFourByte); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if ((flags & ~kDeviceFlags) != 0) return cudaErrorInvalidValue;
    runtime.settings.flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return Call(Timing::kHost, [&](Runtime& runtime) { return Give(flags, runtime.settings.flags); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return Call(Timing::kHost, [&](Runtime&) {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = kGreatestPriority;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return Call(Timing::kHost, [&](Runtime&) {
    return device != 0 || peer != 0 ? cudaErrorInvalidDevice : Give(can, 0);
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return Call(Timing::kHost, [](Runtime&) { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return Call(Timing::kHost, [&](Runtime&) {
    return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
  });
}

// Versions need no device.
cudaError_t cudaDriverGetVersion(int* version) { return Give(version, kVersion); }
cudaError_t cudaRuntimeGetVersion(int* version) { return Give(version, kVersion); }

cudaError_t cudaProfilerStart() {
  return Call(Timing::kHost, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return Call(Timing::kHost, [](Runtime&) { return cudaSuccess; });
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

// What CUDA 12 still has and nvcc's objects may call.
extern "C" {
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
}

// What the device can do (CUDA Runtime API, "Device Management").

namespace warpcheck::cudart {
namespace {

constexpr std::size_t kAbsent = ~std::size_t{0};
constexpr std::size_t kMaxPitch = 0x7FFFFFFF;  // bytes
constexpr int kCopyEngines = 3;
constexpr int kPciBus = 0x19;  // of a device that has one, on any machine
constexpr std::size_t kNameBytes = 256;

enum class Layout { kCuda13, kCuda12 };

constexpr std::size_t BytesOf(Layout layout) { return layout == Layout::kCuda13 ? 1008 : 1032; }

#if CUDART_VERSION >= 13000
static_assert(sizeof(cudaDeviceProp) == BytesOf(Layout::kCuda13));
#else
static_assert(sizeof(cudaDeviceProp) == BytesOf(Layout::kCuda12));
#endif

template <class Member, class Value>
void Put(std::byte* at, const Value& value) {
  if constexpr (std::is_same_v<Member, Dim3>) {
    const std::array<std::uint32_t, 3> extents = {value.x, value.y, value.z};
    std::memcpy(at, extents.data(), sizeof(extents));
  } else {
    const auto member = static_cast<Member>(value);
    std::memcpy(at, &member, sizeof(member));
  }
}

cudaError_t GetProperties(void* out, int device, Layout layout) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (out == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const DeviceProperties& p = runtime.device->Properties();
    std::array<std::byte, std::max(BytesOf(Layout::kCuda13), BytesOf(Layout::kCuda12))> bytes{};
    std::memcpy(bytes.data(), p.name.data(), std::min(p.name.size(), kNameBytes - 1));
#define PROPERTY(member, type, offset13, offset12, value)                                      \
  if (const std::size_t at = layout == Layout::kCuda13 ? offset13 : offset12; at != kAbsent) { \
    Put<type>(bytes.data() + at, value);                                                       \
  }
#include "cudart/properties.def"
#undef PROPERTY
    std::memcpy(out, bytes.data(), BytesOf(layout));
    return cudaSuccess;
  });
}

}  // namespace

// CUDA 12's header renames the first of these to the second, whose struct is another.
extern "C" cudaError_t GetProperties13(void*, int) __asm__("cudaGetDeviceProperties");
extern "C" cudaError_t GetProperties12(void*, int) __asm__("cudaGetDeviceProperties_v2");

extern "C" cudaError_t GetProperties13(void* properties, int device) {
  return GetProperties(properties, device, Layout::kCuda13);
}

extern "C" cudaError_t GetProperties12(void* properties, int device) {
  return GetProperties(properties, device, Layout::kCuda12);
}

}  // namespace warpcheck::cudart

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const warpcheck::DeviceProperties& p = runtime.device->Properties();
    switch (attribute) {
#define ATTRIBUTE(name, expression)        \
  case cudaDevAttr##name:                  \
    *value = static_cast<int>(expression); \
    return cudaSuccess;
#include "cudart/attributes.def"
#undef ATTRIBUTE
      default:
        break;
    }
    if (attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax) {
      return cudaErrorInvalidValue;
    }
    return NotSupported(runtime, "cudaDeviceGetAttribute of an attribute about mipmaps or such");
  });
}

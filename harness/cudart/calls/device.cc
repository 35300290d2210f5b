// Implements the calls about the only device, its settings, and versions (CUDA Runtime API, "Device
// Management", "Version Management", "Profiler Control").
#include <cuda_profiler_api.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "cudart/call.h"
#include "cudart/runtime.h"
#include "cudart/stream_capture.h"
#include "cudart/texture_table.h"

namespace warpcheck::cudart {
namespace {

constexpr int kVersion = 13000;
constexpr unsigned kDeviceFlags =
    cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;

constexpr std::size_t kDefaultLimits[] = {
    1024,     // cudaLimitStackSize, in bytes of a thread
    1 << 20,  // cudaLimitPrintfFifoSize, in bytes
    8 << 20,  // cudaLimitMallocHeapSize, in bytes
    2,        // cudaLimitDevRuntimeSyncDepth
    2048,     // cudaLimitDevRuntimePendingLaunchCount
    64,       // cudaLimitMaxL2FetchGranularity, in bytes
    0,        // cudaLimitPersistingL2CacheSize, in bytes
};

// Returns the setting of a limit, or nullptr if there is no such limit.
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
  return Call(Timing::kWait, [](Runtime& runtime) {
    WARPCHECK_TRY_CODE(AdmitUnsafe(runtime, true));
    runtime.host.Append(
        {.kind = HostEvent::Kind::kHostWait, .waits_for = warpcheck::HostCall::WaitsFor::kDevice});
    return cudaSuccess;
  });
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

// Banks are always four bytes wide, as on all GPUs since Maxwell; the program's setting changes
// nothing.
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

// These calls about versions work without a device.
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

// CUDA 12 still has these functions, which nvcc's objects may call.
extern "C" {
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
}

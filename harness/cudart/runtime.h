// The state behind the runtime API of this process. One mutex guards all of it: entry points take
// it through Call (cudart/call.h) and hold it until the device has finished, so that threads of a
// program are served one after the other, which is a legal schedule of their streams.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "cudart/late_copies.h"
#include "cudart/memory_table.h"
#include "cudart/misuse.h"
#include "cudart/registry.h"
#include "cudart/streams.h"
#include "cudart/texture_table.h"
#include "device/device.h"

namespace warpcheck::cudart {

inline cudaError_t ToCuda(DeviceError error) { return static_cast<cudaError_t>(error); }

struct DeviceSettings {
  unsigned flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig shared_bank = cudaSharedMemBankSizeDefault;
  std::vector<std::size_t> limits;  // by cudaLimit; see device.cc
};

class Runtime {
 public:
  static Runtime& Get();

  std::mutex& mutex() { return mutex_; }
  Device* device() { return device_; }
  Registry& registry() { return registry_; }
  MemoryTable& memory() { return memory_; }
  TextureTable& textures() { return textures_; }
  StreamTable& streams() { return streams_; }
  DeviceSettings& settings() { return settings_; }
  Misuse& misuse() { return misuse_; }
  LateCopies& late_copies() { return late_copies_; }

  void Attach(Device* device);
  void AtWait(std::function<void()> hook) { at_wait_ = std::move(hook); }
  void Wait() const {
    if (at_wait_) at_wait_();
  }
  // Gives up allocations, modules, streams and settings, as cudaDeviceReset does.
  void Reset();

  // The error that work on the device ended with and that no call has returned yet.
  cudaError_t pending() const { return pending_; }
  void SetPending(cudaError_t error) { pending_ = error; }
  // The error that every call returns from now on.
  cudaError_t sticky() const { return sticky_; }
  void SetSticky(cudaError_t error);

  // Of the calling thread; an Attach clears it in all threads.
  cudaError_t& LastError();

 private:
  std::mutex mutex_;
  Device* device_ = nullptr;
  std::uint64_t attachments_ = 0;
  Registry registry_;
  MemoryTable memory_;
  TextureTable textures_;
  StreamTable streams_;
  DeviceSettings settings_;
  Misuse misuse_;
  LateCopies late_copies_;
  cudaError_t pending_ = cudaSuccess;
  cudaError_t sticky_ = cudaSuccess;
  std::function<void()> at_wait_;
};

}  // namespace warpcheck::cudart

// Runtime has the state of the runtime API in this process. One mutex guards all of it. Entry
// points keep the mutex until the device has finished (call.h), so that the threads of a program
// are served one after the other. This is a legal schedule of their streams.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "cudart/graphs/captures.h"
#include "cudart/graphs/graph_table.h"
#include "cudart/misuse.h"
#include "cudart/order/host_side.h"
#include "cudart/registry.h"
#include "cudart/tables/memory_pools.h"
#include "cudart/tables/memory_table.h"
#include "cudart/tables/stream_table.h"
#include "cudart/tables/to_cuda.h"
#include "cudart/texture_table.h"
#include "debuginfo/host_lines.h"
#include "device/device.h"
#include "hostwatch/spin_watch.h"

namespace warpcheck::cudart {

struct DeviceSettings {
  unsigned flags = cudaDeviceScheduleAuto;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig shared_bank = cudaSharedMemBankSizeDefault;
  std::vector<std::size_t> limits;  // indexed by cudaLimit; see calls/device.cc
};

struct Runtime {
  static Runtime& Get();

  void Attach(Device* new_device, bool watch_order);
  // Drops allocations, modules, streams and settings, as cudaDeviceReset does.
  void Reset();
  void SetSticky(cudaError_t error);
  // Records a known event in a known stream, for a call or a node of a graph.
  void Record(cudaEvent_t event, Lane lane);
  // A host that reads late bytes too early, again and again, would wait forever: it gets the new
  // ones after a second.
  void WatchForSpins();
  // Tells of a call that returned an error of its own.
  void NoteError(cudaError_t error);
  // Returns the last error of the calling thread. Attach() clears it in all threads.
  cudaError_t& LastError();

  std::mutex mutex;
  Device* device = nullptr;
  std::uint64_t attachments = 0;
  Registry registry;
  MemoryTable memory;
  MemoryPools pools;
  TextureTable textures;
  StreamTable streams;
  GraphTable graphs;
  Captures captures;
  DeviceSettings settings;
  Misuse misuse;
  HostLines& lines = HostLines::OfProcess();
  HostSide host;
  SpinWatch spin;
  // The error of work on the device that no call has returned yet.
  cudaError_t pending = cudaSuccess;
  cudaError_t sticky = cudaSuccess;  // every call returns it from now on
  // The number of the next allocation of host memory that begins with remains of others
  // (FillWithRemains); 0 if all begin with zeros.
  std::uint32_t remains = 0;
  std::function<void()> at_wait;  // called whenever the program waits for the device
  std::function<void()> at_first_call;
  std::function<void(const RefusedCall&)> at_refusal;
};

}  // namespace warpcheck::cudart

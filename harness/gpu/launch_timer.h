// Times one launch: runs it several times, each time from the same memory
// and with a cold L2 cache.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "device/launch_record.h"
#include "device/types.h"
#include "gpu/driver_api.h"
#include "gpu/output_capture.h"

namespace warpcheck::gpu {

struct Clocks {
  std::uint32_t sm_mhz = 0;
  std::uint32_t memory_mhz = 0;
};

// Returns the present clocks, from NVML (libnvidia-ml.so.1). If NVML is missing or does not tell,
// returns the highest clocks that the device can have.
Clocks ReadClocks(const DriverApi& api, CUdevice device, const DeviceProperties& properties);

struct MemoryRange {
  DeviceAddress begin = 0;
  std::uint64_t bytes = 0;
};

struct TimedLaunch {
  // Without a value if there was no room for a copy of the memory.
  std::optional<LaunchTiming> timing;
  CUresult error = CUDA_SUCCESS;  // the kernel's error; the context may then be lost
  OutputCapture::Text output;     // the output of the first run that failed; otherwise empty
};

// `memory` is everything that the kernel may change; it is restored afterwards, unless `error` is
// set. `start` starts the launch in the default stream. `measure`, if there is one, is called after
// the timed runs, from the same memory; it may run the launch, and returns the kernel's error.
// Takes about 100 ms, or as long as two runs if that is longer, and the time of `measure`.
TimedLaunch TimeLaunch(const DriverApi& api, CUdevice device, const DeviceProperties& properties,
                       std::span<const MemoryRange> memory, const std::function<CUresult()>& start,
                       const std::function<CUresult()>& measure = nullptr);

// Returns the bandwidth of a copy within the device in bytes a second, counting bytes read and
// written; 0 if there is no room for a copy.
double CopyBandwidth(const DriverApi& api, const DeviceProperties& properties);

// Overwrites the L2 cache, and waits for that. Keeps a block of twice its size.
class ColdCache {
 public:
  // `api` must outlive the object. The context must be current in Flush() and in the destructor.
  ColdCache(const DriverApi& api, const DeviceProperties& properties)
      : api_(api), bytes_(std::uint64_t{2} * properties.l2_bytes) {}
  ~ColdCache();
  ColdCache(const ColdCache&) = delete;
  ColdCache& operator=(const ColdCache&) = delete;

  CUresult Flush();

 private:
  const DriverApi& api_;
  const std::uint64_t bytes_;
  CUdeviceptr block_ = 0;
};

}  // namespace warpcheck::gpu

// The memory that a program allocated, and the red zones around it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device/finding.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

struct GpuAllocation {
  DeviceAddress begin = 0;
  std::uint64_t bytes = 0;
  // All of it, red zones included: zone_bytes, the allocation, zone_bytes.
  DeviceAddress block = 0;
  std::uint64_t zone_bytes = 0;
  CUdeviceptr driver_block = 0;  // as the driver gave it

  std::uint64_t block_bytes() const { return bytes + 2 * zone_bytes; }
};

class GpuMemory {
 public:
  // `api` outlives this; its context is current in every call.
  GpuMemory(const DriverApi& api, std::uint64_t red_zone_bytes);
  ~GpuMemory();
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;

  // As Device::Allocate, where the driver likes. Fresh memory holds NaN, as on the emulator:
  // nothing of an earlier trial.
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes);
  DeviceError Free(DeviceAddress address);
  void FreeAll();

  // True where [address, address + bytes) lies within one allocation.
  bool Holds(DeviceAddress address, std::uint64_t bytes) const;

  // One finding for each red zone that was written since the last call, which is then repaired.
  DeviceResult<std::vector<Finding>> CheckRedZones(const std::string& kernel);

  const std::map<DeviceAddress, GpuAllocation>& allocations() const { return allocations_; }

 private:
  CUresult AllocateBlock(GpuAllocation& allocation);
  CUresult Prepare(const GpuAllocation& allocation);
  CUresult CheckZone(const GpuAllocation& allocation, bool behind, const std::string& kernel,
                     std::vector<Finding>& findings);
  void GiveBack(const GpuAllocation& allocation);

  const DriverApi& api_;
  const std::uint64_t red_zone_bytes_;
  std::map<DeviceAddress, GpuAllocation> allocations_;  // by `begin`
};

}  // namespace warpcheck::gpu

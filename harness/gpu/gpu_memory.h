// GpuMemory keeps the memory that a program allocated, with red zones around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/box.h"
#include "device/finding.h"
#include "device/types.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

// Returns the byte of a red zone at `address`. A kernel's write to the zone is detected by
// comparing bytes. Each aligned word is a different NaN for float, double, half and bfloat16, and a
// small negative integer. So a value that is read there is visible in the result, and differs from
// the value that a kernel writes.
std::byte RedZoneByte(DeviceAddress address);

std::vector<std::byte> RedZone(DeviceAddress begin, std::uint64_t bytes);

// Describes the bytes of a red zone that a kernel changed.
struct Damage {
  std::uint64_t first = 0;    // offset of the first changed byte in the zone
  std::uint64_t last = 0;     // offset of the last changed byte
  std::uint64_t changed = 0;  // the number of changed bytes between the two, both included

  friend bool operator==(const Damage&, const Damage&) = default;
};

// Returns nothing if the bytes of `zone`, which begin at the address `begin`, are unchanged.
std::optional<Damage> FindDamage(DeviceAddress begin, std::span<const std::byte> zone);

struct GpuAllocation {
  DeviceAddress begin = 0;
  std::uint64_t bytes = 0;
  // A block consists of a red zone, the allocation, and another red zone.
  DeviceAddress block = 0;
  std::uint64_t zone_bytes = 0;
  CUdeviceptr driver_block = 0;  // the block's address from the driver

  std::uint64_t block_bytes() const { return bytes + 2 * zone_bytes; }
  // Returns the beginning of the red zone before or after the allocation.
  DeviceAddress Zone(bool behind) const { return behind ? begin + bytes : block; }
};

class GpuMemory {
 public:
  // `api` must outlive this object, and its context must be current in every call.
  GpuMemory(const DriverApi& api, std::uint64_t red_zone_bytes);
  ~GpuMemory() { FreeAll(); }
  GpuMemory(const GpuMemory&) = delete;
  GpuMemory& operator=(const GpuMemory&) = delete;

  // Allocates as Device::Allocate does, at an address that the driver chooses. Fresh memory is
  // filled with NaN, as on the emulator, and has no data of an earlier trial.
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes);
  DeviceError Free(DeviceAddress address);
  void FreeAll();

  // Returns true if [address, address + bytes) lies within one allocation.
  bool Holds(DeviceAddress address, std::uint64_t bytes) const;

  // Returns one finding for each red zone that was changed since the last call, and repairs them.
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
  std::map<DeviceAddress, GpuAllocation> allocations_;  // allocations by `begin`
};

// These copy and fill boxes with the driver, and return when that is finished. Boxes lie in device
// memory and are not empty.

CUresult WriteRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                   std::span<const std::byte> bytes);
CUresult ReadRows(const DriverApi& api, const DeviceBox& from, const Extent3& extent,
                  std::span<std::byte> bytes);
// Copies overlapping boxes as if through a temporary box.
CUresult CopyRows(const DriverApi& api, const DeviceBox& to, const DeviceBox& from,
                  const Extent3& extent);
CUresult FillRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                  std::byte value);

}  // namespace warpcheck::gpu

// Keeps the memory that a program allocated, with red zones around it.
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

// Returns the byte of a red zone at `address`, by which a kernel's write there is detected. Each
// aligned word is a different NaN, for float, double, half and bfloat16, and a small negative
// integer: a value read there shows in the result, and differs from what it overwrites.
std::byte RedZoneByte(DeviceAddress address);

std::vector<std::byte> RedZone(DeviceAddress begin, std::uint64_t bytes);

// The bytes of a red zone that a kernel changed.
struct Damage {
  std::uint64_t first = 0;    // offset of the first changed byte in the zone
  std::uint64_t last = 0;     // offset of the last changed byte
  std::uint64_t changed = 0;  // changed bytes between the two, both included

  friend bool operator==(const Damage&, const Damage&) = default;
};

// Returns nothing if `zone`, read from `begin` on, is unchanged.
std::optional<Damage> FindDamage(DeviceAddress begin, std::span<const std::byte> zone);

struct GpuAllocation {
  DeviceAddress begin = 0;
  std::uint64_t bytes = 0;
  // The whole block: a red zone, the allocation, a red zone.
  DeviceAddress block = 0;
  std::uint64_t zone_bytes = 0;
  CUdeviceptr driver_block = 0;  // the block's address from the driver

  std::uint64_t block_bytes() const { return bytes + 2 * zone_bytes; }
  // Returns the beginning of the red zone before or behind the allocation.
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
  // filled with NaN, as on the emulator, and holds nothing of an earlier trial.
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
  std::map<DeviceAddress, GpuAllocation> allocations_;  // by `begin`
};

// Copies and fills boxes with the driver, and returns when that is finished. Boxes lie in device
// memory and are not empty.

CUresult WriteRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                   std::span<const std::byte> bytes);
CUresult ReadRows(const DriverApi& api, const DeviceBox& from, const Extent3& extent,
                  std::span<std::byte> bytes);
// Copies overlapping boxes as if through a third one.
CUresult CopyRows(const DriverApi& api, const DeviceBox& to, const DeviceBox& from,
                  const Extent3& extent);
CUresult FillRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                  std::byte value);

}  // namespace warpcheck::gpu

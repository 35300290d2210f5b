// GpuHostMemory keeps the memory of the host that a lab uses on a GPU: pageable, pinned and
// managed. The process reads and writes all of it directly, while no kernel runs.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "device/box.h"
#include "device/step_runner.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

class GpuHostMemory {
 public:
  // `api` must outlive this object, and its context must be current in every call.
  explicit GpuHostMemory(const DriverApi& api) : api_(api) {}
  ~GpuHostMemory() { FreeAll(); }
  GpuHostMemory(const GpuHostMemory&) = delete;
  GpuHostMemory& operator=(const GpuHostMemory&) = delete;

  // Pinned memory is mapped, so that its address is valid for kernels too.
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, HostMemory memory);
  // Returns false if there is no such allocation.
  bool Free(DeviceAddress address);
  void FreeAll();

  // Returns true if [address, address + bytes) lies within one allocation.
  bool Holds(DeviceAddress address, std::uint64_t bytes) const;

  // Copies of the contents of all allocations. Restoring them brings managed pages back to the
  // host.
  using Contents = std::map<DeviceAddress, std::vector<std::byte>>;
  Contents Save() const;
  void Restore(const Contents& contents) const;

 private:
  struct Allocation {
    std::uint64_t bytes = 0;
    HostMemory memory = HostMemory::kPageable;
  };
  void GiveBack(DeviceAddress address, HostMemory memory);

  const DriverApi& api_;
  std::map<DeviceAddress, Allocation> allocations_;
};

// These move the rows of a box in the memory of the host.

void WriteHostRows(const DeviceBox& to, const Extent3& extent, std::span<const std::byte> bytes);
void ReadHostRows(const DeviceBox& from, const Extent3& extent, std::span<std::byte> bytes);
void FillHostRows(const DeviceBox& to, const Extent3& extent, std::byte value);

}  // namespace warpcheck::gpu

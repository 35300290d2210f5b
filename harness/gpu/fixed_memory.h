// Device memory at addresses that the caller chooses, through the driver's virtual memory
// management: for memory that a program sees at one address on host and device. To the driver an
// address is a wish: that of an H200 (580, CUDA 13.0) granted none, and managed memory cannot be
// had there. kNotSupported says so.
#pragma once

#include <cstdint>
#include <map>

#include "device/types.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

class FixedMemory {
 public:
  // `api` outlives this; of the device `device`, whose context is current in every call.
  FixedMemory(const DriverApi& api, CUdevice device) : api_(api), device_(device) {}
  ~FixedMemory();
  FixedMemory(const FixedMemory&) = delete;
  FixedMemory& operator=(const FixedMemory&) = delete;

  // Memory for [at, at + bytes), which overlaps no range that is held. The driver maps large pages
  // only; ranges share them. kInvalidValue where this process uses the addresses for something
  // else, kNotSupported where the device cannot.
  DeviceError Hold(DeviceAddress at, std::uint64_t bytes);
  // Gives up a range as it was held.
  void Release(DeviceAddress at, std::uint64_t bytes);

 private:
  struct Page {
    CUmemGenericAllocationHandle memory = 0;
    std::uint32_t users = 0;  // ranges
  };

  CUmemAllocationProp Properties() const;
  DeviceError FindPageBytes();
  DeviceError MapPage(DeviceAddress begin);
  void UnmapPage(DeviceAddress begin, const Page& page);

  const DriverApi& api_;
  const CUdevice device_;
  std::uint64_t page_bytes_ = 0;  // 0 until it is known
  std::map<DeviceAddress, Page> pages_;
};

}  // namespace warpcheck::gpu

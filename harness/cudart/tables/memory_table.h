// MemoryTable knows the memory that a program has allocated or registered, and the copies of host
// memory on the device. Memory that both sides see (pinned, registered, managed) lies in this
// process. Its copy on the device is updated before a kernel uses it and read back afterwards.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "cudart/tables/memory_kind.h"
#include "device/device.h"
#include "hostwatch/host_pages.h"

namespace warpcheck::cudart {

struct Allocation {
  MemoryKind kind = MemoryKind::kDevice;
  std::uintptr_t start =
      0;  // the address that the program was given, in host memory or on the device
  std::uint64_t bytes = 0;
  DeviceAddress device = 0;  // the memory itself, or its copy
  std::uint64_t before = 0;  // bytes of the device's allocation that lie before `device`
  // A second copy at the host's address, or 0 if there is no second copy. A variable that the
  // device keeps elsewhere needs it, because kernels access the variable by its name, and by the
  // pointer that the host passes.
  DeviceAddress alias = 0;
  std::byte* host = nullptr;  // nullptr for memory of kind kDevice or kVariable
  unsigned flags = 0;         // flags as the program passed them
  // The contents of the device's copies, as far as the program knows; empty until it has sent them.
  SparseBytes synced{};
  // The device's copy had zeros before the program sent anything, as the host's memory had.
  bool began_as_zeros = false;
  bool of_launch = false;  // the last launch has got the bytes, because it may have used them

  bool managed() const { return FactsOf(kind).is_managed; }
  // Returns true if the allocation contains `count` bytes from `pointer` on, which may be an
  // address of either side.
  bool Holds(const void* pointer, std::uint64_t count) const;
  // Returns the offset in bytes of a pointer into this allocation.
  std::uint64_t OffsetOf(const void* pointer) const {
    const std::uint64_t offset = Address(pointer) - start;
    return offset < bytes ? offset : Address(pointer) - device;
  }
};

class MemoryTable {
 public:
  cudaError_t AllocateDevice(Device& device, std::uint64_t bytes, void** pointer);
  // Allocates zeroed host memory, kPinned or kManaged, with its copy at the same address if the
  // device can do that. If the device cannot, a kManaged allocation fails.
  cudaError_t AllocateHost(Device& device, MemoryKind kind, std::uint64_t bytes, unsigned flags,
                           void** pointer);
  cudaError_t Register(Device& device, void* pointer, std::uint64_t bytes, unsigned flags);
  // Adds a __device__ or __constant__ variable, which the device keeps at `address`.
  void AddVariable(DeviceAddress address, std::uint64_t bytes);
  // Call this when the variable's module is unloaded.
  void RemoveVariable(DeviceAddress address) { allocations_.erase(address); }
  // Maps host memory for a __managed__ variable that the device keeps at `address`, at that address
  // if it is free in this process. Stores the place of the memory in `*holder`; the place stays the
  // same on later devices.
  cudaError_t MapVariable(Device& device, DeviceAddress address, std::uint64_t bytes,
                          void** holder);
  // Does the host's part of MapVariable(). If `*holder` has no place yet, stores one there: at
  // `address`, unless that is 0 or taken. Returns nullptr if there is no memory.
  std::byte* PlaceVariable(DeviceAddress address, std::uint64_t bytes, void** holder);
  // Call this when a holder is destroyed.
  void ForgetVariable(void** holder);
  // Frees the allocation; returns cudaErrorInvalidValue unless it starts at `pointer` and `call`
  // frees its kind.
  cudaError_t Release(Device& device, const void* pointer, std::string_view call);

  // Returns the allocation that contains the byte at `pointer`, an address of either side.
  const Allocation* Find(const void* pointer) const;

  // Returns true if the process has all of these bytes, and the address does not mean memory of the
  // device.
  bool IsOfProcess(const void* start, std::uint64_t bytes) const {
    return !IsDevicePage(start) && IsMapped(start, bytes);
  }

  // Launches a kernel. It finds what the program wrote since the last time. A device that fetches
  // (Device::FetchAtUse) is sent only allocations that the kernel uses, when it first uses them, so
  // that others cost nothing. What another thread writes in the meantime may come with them, as on
  // a GPU.
  // Calls before_use(allocation) before it sends one.
  using BeforeUse = std::function<void(const Allocation&)>;
  DeviceError Launch(Device& device, const LaunchRequest& request, const BeforeUse& before_use);
  // Copies what the last launch changed to host memory: `uses` are all bytes that it may have used,
  // at the host's addresses; without it any byte may have changed. Other threads may write there at
  // any time. A byte that only one side changed keeps the value of that side. Pages that the host
  // has never used cost nothing, nor do bytes that the kernels have not written.
  DeviceError Pull(Device& device, const std::vector<MemoryUse>* uses);

  // Push() sends the device what the program wrote to one allocation of this table since the last
  // time. Pull() copies a box in its copy on the device to host memory.
  DeviceError Push(Device& device, const Allocation& allocation);
  DeviceError Pull(Device& device, const Allocation& allocation, const DeviceBox& from,
                   const Extent3& extent);

  // Returns true if there is memory that both sides see.
  bool SharesSome() const {
    return std::ranges::any_of(allocations_,
                               [](const auto& entry) { return entry.second.host != nullptr; });
  }
  // Calls body(allocation) for the memory that both sides see.
  template <class Body>
  void EachOnTheHost(Body body) const {
    for (const auto& [start, allocation] : allocations_) {
      if (allocation.host != nullptr) body(allocation);
    }
  }

  void ForgetDevice();  // without calling the device

 private:
  using Map = std::map<std::uintptr_t, Allocation>;
  struct Mirror {
    std::byte* host = nullptr;
    DeviceAddress device = 0;
    bool has_zeros = false;  // the device's copy too
  };
  // Maps host memory and its copy on the device, at the same address if one of a few tries
  // succeeds: either the device grants an address that the host has free, or the host grants one
  // that the device chose (as a GPU does).
  static DeviceResult<Mirror> MapMirror(Device& device, std::uint64_t bytes);
  DeviceResult<Mirror> MirrorOf(Device& device, std::uint64_t bytes);
  void FreeHost(const Allocation& allocation);
  // Returns true for memory of this process that MapVariable() put at an address where the device
  // has memory of its own. If no allocation contains the address, it means the device's memory.
  bool IsDevicePage(const void* pointer) const;
  static DeviceError Push(Device& device, Allocation& allocation);
  // Sends the launch the bytes of the allocation at `start`, unless it has got them.
  void Send(Device& device, std::uintptr_t start, const BeforeUse& before_use);
  // Copies bytes [begin, end) of the device's copy, which has no alias, to host memory.
  static DeviceError PullRange(Device& device, Allocation& allocation, std::uint64_t begin,
                               std::uint64_t end);
  // Maps host memory at `address`; returns nullptr if another mapping is there.
  std::byte* MapAt(DeviceAddress address, std::uint64_t bytes);
  bool Overlaps(std::uintptr_t start, std::uint64_t bytes) const;

  Map allocations_;                                 // allocations by their start
  DeviceError send_error_ = DeviceError::kSuccess;  // of the last launch
  std::map<void**, std::byte*> variables_;          // memory of managed variables, by its holder
  std::set<std::uintptr_t> fixed_pages_;            // pages mapped at a device's addresses
};

}  // namespace warpcheck::cudart

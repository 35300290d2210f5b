// The memory that a program has allocated or registered, and the copies of host memory on the
// device. Memory that both sides see (pinned, registered, managed) lives in this process; its copy
// on the device is brought up to date before a kernel runs and read back after it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <vector>

#include "device/device.h"

namespace warpcheck::cudart {

inline std::uintptr_t Address(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// Pages of this process's own memory.

std::size_t PageBytes();

// Zeroed memory of whole pages, at `at` where that is not nullptr; nullptr where there is none, or
// where something else is there already.
std::byte* MapPages(std::size_t bytes, void* at = nullptr);
void UnmapPages(std::byte* start, std::size_t bytes);

// True where every page of the range is mapped in this process, so that reading it is no crash.
bool IsMapped(const void* start, std::uint64_t bytes);

enum class MemoryKind { kDevice, kPinned, kRegistered, kManaged, kManagedVariable };

struct Allocation {
  MemoryKind kind = MemoryKind::kDevice;
  std::uintptr_t start = 0;  // what the program was given: in host memory, or on the device
  std::uint64_t bytes = 0;
  DeviceAddress device = 0;  // of the memory itself, or of its copy
  std::uint64_t before = 0;  // bytes of the device's allocation that lie before `device`
  // Of a second copy at the host's address; 0 for none. For a variable that the device has
  // elsewhere: kernels reach it by its name, and by the pointer that the host passes.
  DeviceAddress alias = 0;
  std::byte* host = nullptr;        // nullptr for kDevice
  unsigned flags = 0;               // as the program passed them
  std::vector<std::byte> synced{};  // what the device's copies hold, as far as the program knows

  bool managed() const {
    return kind == MemoryKind::kManaged || kind == MemoryKind::kManagedVariable;
  }
  // True for `count` bytes from `pointer` on, an address of either side.
  bool Holds(const void* pointer, std::uint64_t count) const;
  // In bytes, of a pointer that it holds.
  std::uint64_t OffsetOf(const void* pointer) const {
    const std::uint64_t offset = Address(pointer) - start;
    return offset < bytes ? offset : Address(pointer) - device;
  }
};

class MemoryTable {
 public:
  cudaError_t AllocateDevice(Device& device, std::uint64_t bytes, void** pointer);
  // kPinned or kManaged: zeroed host memory, with its copy at the same address where the device
  // can; a kManaged allocation fails where it cannot.
  cudaError_t AllocateHost(Device& device, MemoryKind kind, std::uint64_t bytes, unsigned flags,
                           void** pointer);
  cudaError_t Register(Device& device, void* pointer, std::uint64_t bytes, unsigned flags);
  // Host memory for a __managed__ variable that the device holds at `address`; at that address
  // where it is free in this process. `*holder` gets its place, and keeps it on later devices.
  cudaError_t MapVariable(Device& device, DeviceAddress address, std::uint64_t bytes,
                          void** holder);
  // The host part of MapVariable: `*holder` gets its place, if it has none yet; at `address` where
  // that is not 0 and free. nullptr where there is no memory.
  std::byte* PlaceVariable(DeviceAddress address, std::uint64_t bytes, void** holder);
  // For a holder that goes away.
  void ForgetVariable(void** holder);
  // The allocation has to start at `pointer`, else cudaErrorInvalidValue.
  cudaError_t Release(Device& device, const void* pointer, std::initializer_list<MemoryKind> kinds);

  // The allocation that holds the byte at `pointer`, an address of either side.
  const Allocation* Find(const void* pointer) const;

  // True for memory of this process that MapVariable put where the device has its own: an address
  // there that no allocation holds is the device's.
  bool IsDevicePage(const void* pointer) const;

  // What the program wrote since the last time, to the device; and what kernels changed, to host
  // memory. Other threads may write there at any time: a byte that only one side changed stays as
  // that side left it.
  DeviceError Push(Device& device);
  DeviceError Pull(Device& device);

  // The same of one allocation of this table, and of a box in its copy on the device.
  DeviceError Push(Device& device, const Allocation& allocation);
  DeviceError Pull(Device& device, const Allocation& allocation, const DeviceBox& from,
                   const Extent3& extent);

  void ForgetDevice();  // without touching the device

 private:
  using Map = std::map<std::uintptr_t, Allocation>;
  struct Mirror {
    std::byte* host = nullptr;
    DeviceAddress device = 0;
  };
  // Host memory and its copy on the device, at the same address if one of a few tries succeeds:
  // where the host has room and the device grants it, or where the device has room and the host
  // grants it (a GPU chooses addresses by itself).
  static DeviceResult<Mirror> MapMirror(Device& device, std::uint64_t bytes);
  DeviceResult<Mirror> MirrorOf(Device& device, std::uint64_t bytes);
  void FreeHost(const Allocation& allocation);
  static DeviceError Push(Device& device, Allocation& allocation);
  // Host memory at `address`; nullptr where this process has something else there.
  std::byte* MapAt(DeviceAddress address, std::uint64_t bytes);
  bool Overlaps(std::uintptr_t start, std::uint64_t bytes) const;

  Map allocations_;                         // by start
  std::map<void**, std::byte*> variables_;  // by holder: memory of managed variables
  std::set<std::uintptr_t> fixed_pages_;    // pages mapped at a device's addresses
};

}  // namespace warpcheck::cudart

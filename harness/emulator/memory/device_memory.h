// The emulator's device memory: allocations at addresses of its own, backed by pages of ours.
//
// Addresses ascend and are never used twice, with wide gaps, so that an access past the end falls
// into no other allocation and an access after a free is known for one. What was freed is still
// listed, without its bytes. Where somebody asks which bytes have been written, each allocation has
// a mark for each of its bytes behind them (WrittenBehind); a map of pages that are written
// throughout saves most looks at the marks (known_written.h). Shared memory, local memory and
// parameters are not here: a block and a warp have their own, at addresses of the windows in
// device_memory.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/box.h"
#include "device/device.h"
#include "device/types.h"
#include "emulator/memory/known_written.h"

namespace warpcheck::emulator {

// Where things lie in the emulator's 64-bit generic address space. Every window lies above the
// 47 bits of user space, so no host pointer falls into one.

struct Window {
  DeviceAddress begin = 0;
  DeviceAddress end = 0;

  constexpr bool Contains(DeviceAddress address) const { return address >= begin && address < end; }
};

inline constexpr Window kHeapWindow{std::uint64_t{1} << 48, std::uint64_t{2} << 48};
// Generic addresses of the block's shared memory, the thread's local memory and the kernel's
// parameters: the window's begin plus the address within the state space.
inline constexpr Window kSharedWindow{std::uint64_t{3} << 48,
                                      (std::uint64_t{3} << 48) + (std::uint64_t{1} << 32)};
inline constexpr Window kLocalWindow{std::uint64_t{4} << 48,
                                     (std::uint64_t{4} << 48) + (std::uint64_t{1} << 32)};
inline constexpr Window kParamWindow{std::uint64_t{5} << 48,
                                     (std::uint64_t{5} << 48) + (std::uint64_t{1} << 32)};
// Addresses of functions, 16 bytes apart: never accessed, only called.
inline constexpr Window kCodeWindow{std::uint64_t{6} << 48,
                                    (std::uint64_t{6} << 48) + (std::uint64_t{1} << 32)};

constexpr DeviceAddress FunctionAddress(std::uint32_t function) {
  return kCodeWindow.begin + std::uint64_t{16} * (function + 1);
}

// What the host has allocated, what malloc() or new in a kernel has, and what a module declares.
// Who has made an allocation frees it: cudaFree, free() in a kernel, the module's end.
enum class AllocationKind : std::uint8_t { kHeap, kMalloc, kVariable, kConstant };

// What a call of the host last wrote to an allocation.
struct HostWrite {
  const char* call = nullptr;  // "cudaMemset"; null: nothing yet
  std::uint64_t begin = 0;     // its first byte there
  std::uint64_t bytes = 0;
};

struct Allocation {
  DeviceAddress begin = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;  // null once freed
  AllocationKind kind = AllocationKind::kHeap;
  std::string name;                               // of a variable, or an array that has one
  std::unique_ptr<KnownWritten> known = nullptr;  // null where writes are not tracked
  std::uint32_t element_bytes = 0;                // of an array that has a name
  std::vector<std::uint64_t> extents{};
  HostWrite host_write{};

  DeviceAddress end() const { return begin + bytes; }
  // Bytes from the allocation to `address`; 0 within.
  std::uint64_t Distance(DeviceAddress address) const {
    return address < begin ? begin - address : address < end() ? 0 : address - end();
  }
};

class DeviceMemory {
 public:
  static constexpr std::uint64_t kAlignment = 512;
  static constexpr std::uint64_t kGap = std::uint64_t{1} << 24;  // at least, between allocations
  static constexpr std::size_t kFreedRemembered = 4096;

  // `tracks_writes`: behind the bytes of every allocation lie as many that tell which of them were
  // written (WrittenBehind).
  explicit DeviceMemory(std::uint64_t limit_bytes, bool tracks_writes = false)
      : limit_bytes_(limit_bytes), tracks_writes_(tracks_writes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::uint64_t limit_bytes() const { return limit_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_; }
  bool tracks_writes() const { return tracks_writes_; }
  // How often something was freed: who keeps what Find gave has to ask again when it changes.
  std::uint64_t frees() const { return frees_; }

  // Filled with 0xFF (NaN as floats), or with zeros. At `at`, or where we like for 0.
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at, bool zeros,
                                       AllocationKind kind = AllocationKind::kHeap,
                                       std::string name = {});
  DeviceError Free(DeviceAddress address, AllocationKind kind = AllocationKind::kHeap);
  // Everything, variables too, and forgets that it was there: nothing is mapped any more.
  void FreeAll();

  // The live allocation that holds [address, address + bytes); null for none.
  const Allocation* Find(DeviceAddress address, std::uint64_t bytes) const;
  // The allocation nearest to `address`, live or freed, for messages; null where none is.
  const Allocation* Nearest(DeviceAddress address) const;
  // The host bytes behind a range that lies in one live allocation; null for others.
  std::byte* Host(DeviceAddress address, std::uint64_t bytes) const;

  // Of an allocation of `bytes` at `host`: for each byte 0xFF where it was written, else 0.
  static std::uint8_t* WrittenBehind(const std::byte* host, std::uint64_t bytes);
  // Notes that a range which lies in one live allocation was written, or holds nothing of meaning.
  void MarkWritten(DeviceAddress address, std::uint64_t bytes, bool written = true);
  // Notes that bytes were copied: what was not written is not written at `to`.
  void CopyWritten(const DeviceBox& to, const DeviceBox& from, const Extent3& extent);

  // Notes which call of the host wrote to a range that lies in one live allocation.
  void NoteHostWrite(const char* call, DeviceAddress address, std::uint64_t bytes);

  // What the allocation that begins at `address` is called.
  void NameArray(DeviceAddress address, const ArrayName& name);

 private:
  std::uint64_t PagesOf(std::uint64_t bytes) const;  // that are mapped for an allocation
  // Forgets what was freed in a range; false, and no change, where something lives there.
  bool MakeRoom(DeviceAddress begin, std::uint64_t bytes);

  std::uint64_t limit_bytes_;
  bool tracks_writes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;  // in whole pages
  DeviceAddress next_ = kHeapWindow.begin + kGap;
  std::map<DeviceAddress, Allocation> allocations_;  // by begin; freed ones too, for a while
  std::deque<DeviceAddress> freed_;                  // the oldest first
  std::uint64_t frees_ = 0;
};

}  // namespace warpcheck::emulator

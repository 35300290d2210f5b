// DeviceMemory is the emulator's device memory: allocations at its own addresses, backed by pages
// of the host.
//
// Addresses have wide gaps, and are never used twice. Therefore an access past the end reaches no
// other allocation, and an access after a free is recognised. Allocations of the host lie tens of
// gigabytes apart, a later one above or below an earlier one, as they may on a GPU: so a program
// that keeps the distance of two arrays in 32 bits is wrong. A freed allocation stays listed
// without its bytes. If a checker needs to know which bytes have been written, there is a mark for
// each byte after the allocation's bytes (WrittenBehind). A summary by pages makes most reads of
// the marks unnecessary (known_written.h). Shared memory, local memory and parameters belong to a
// block, a warp and a launch; their windows are in address_windows.h.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/source_location.h"
#include "device/box.h"
#include "device/device.h"
#include "device/types.h"
#include "emulator/memory/address_windows.h"
#include "emulator/memory/known_written.h"

namespace warpcheck::emulator {

// The kind of an allocation says who made it and must free it: cudaMalloc of the host, malloc or
// new in a kernel, or a module that declares a variable.
enum class AllocationKind : std::uint8_t { kHeap, kMalloc, kVariable, kConstant };

// The last write of the host to an allocation.
struct HostWrite {
  const char* call = nullptr;  // such as "cudaMemset"; null if the host has not written
  std::uint64_t begin = 0;     // the offset of the first byte that was written
  std::uint64_t bytes = 0;
};

// The place in a kernel whose malloc or new made allocations.
struct Maker {
  SourceLocation where;
  SourceLocation caller;  // the kernel's line that called the function of `where`
  std::string kernel;

  friend auto operator<=>(const Maker&, const Maker&) = default;
};

struct Allocation {
  DeviceAddress begin = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;  // null after the allocation was freed
  AllocationKind kind = AllocationKind::kHeap;
  // The name of the variable or array; empty if it has no name.
  std::string name;
  std::unique_ptr<KnownWritten> known = nullptr;  // null if writes are not tracked
  std::uint32_t element_bytes = 0;                // known for arrays that have a name; otherwise 0
  std::vector<std::uint64_t> extents{};
  HostWrite host_write{};
  std::uint64_t host_end = 0;  // the offset behind the farthest byte that the host has written
  // True until the bytes are fetched (DeviceMemory::FetchAtUse). Several threads may look.
  mutable bool to_fetch = false;
  std::shared_ptr<const Maker> maker = nullptr;  // of kMalloc; null for other kinds

  DeviceAddress end() const { return begin + bytes; }
  // Returns how many bytes lie between the allocation and `address`; returns 0 if the address is
  // inside.
  std::uint64_t Distance(DeviceAddress address) const {
    return address < begin ? begin - address : address < end() ? 0 : address - end();
  }
};

class DeviceMemory {
 public:
  static constexpr std::uint64_t kAlignment = 512;
  static constexpr std::uint64_t kGap = std::uint64_t{1}
                                        << 24;  // the least distance between two allocations
  static constexpr std::size_t kFreedRemembered = 4096;
  // So many allocations of the host each have a place of so many bytes to themselves. Further ones,
  // and those of kernels and modules, follow each other at kGap.
  static constexpr std::uint64_t kPlaces = 4096;
  static constexpr std::uint64_t kPlaceBytes = std::uint64_t{1} << 35;

  // If `tracks_writes` is set, each allocation has marks after its bytes, which tell for each byte
  // whether it was written (WrittenBehind).
  explicit DeviceMemory(std::uint64_t limit_bytes, bool tracks_writes = false)
      : limit_bytes_(limit_bytes), tracks_writes_(tracks_writes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  std::uint64_t limit_bytes() const { return limit_bytes_; }
  std::uint64_t used_bytes() const { return used_bytes_; }
  bool tracks_writes() const { return tracks_writes_; }
  // Returns how many allocations were freed. When it changes, pointers that Find returned are
  // stale.
  std::uint64_t frees() const { return frees_; }

  // Allocates at `at`, or at the next free address if `at` is 0. The bytes are 0xFF (NaN as floats)
  // or, with `zeros`, 0.
  DeviceResult<DeviceAddress> Allocate(std::uint64_t bytes, DeviceAddress at, bool zeros,
                                       AllocationKind kind = AllocationKind::kHeap,
                                       std::string name = {});
  DeviceError Free(DeviceAddress address, AllocationKind kind = AllocationKind::kHeap);
  // Frees everything, including variables, and forgets freed allocations: no address is mapped any
  // more.
  void FreeAll();

  // Calls `fetch` before Find, Host or Nearest first returns the live allocation that contains
  // `address`. What `fetch` itself finds is not fetched. Returns false if there is none.
  bool FetchAtUse(DeviceAddress address, std::function<void()> fetch);
  // Forgets all fetches that were not needed.
  void ForgetFetches();

  // Returns the live allocation that contains [address, address + bytes), or null.
  const Allocation* Find(DeviceAddress address, std::uint64_t bytes) const;
  // Returns the allocation nearest to `address`, live or freed, for messages, or null if there is
  // no allocation.
  const Allocation* Nearest(DeviceAddress address) const;
  // Returns the host's bytes of a range that lies in one live allocation, or null for any other
  // range.
  std::byte* Host(DeviceAddress address, std::uint64_t bytes) const;

  // Returns the marks of an allocation of `bytes` bytes at `host`: 0xFF for each byte that was
  // written.
  static std::uint8_t* WrittenBehind(const std::byte* host, std::uint64_t bytes);
  // Marks a range of one live allocation as written or not written.
  void MarkWritten(DeviceAddress address, std::uint64_t bytes, bool written = true);
  // Copies the marks with the bytes. A byte that was not written at `from` becomes a byte that was
  // not written at `to`.
  void CopyWritten(const DeviceBox& to, const DeviceBox& from, const Extent3& extent);

  // Records which call of the host wrote to a range of one live allocation.
  void NoteHostWrite(const char* call, DeviceAddress address, std::uint64_t bytes);

  // Notes where a kernel made the allocation that begins at `address`.
  void NoteMaker(DeviceAddress address, std::shared_ptr<const Maker> maker);
  // Returns the live allocations that kernels made.
  std::vector<const Allocation*> OfKernels() const;

  // Names the allocation that begins at `address`.
  void NameArray(DeviceAddress address, const ArrayName& name);

 private:
  // The bytes of an allocation, rounded up to whole pages.
  std::uint64_t PagesOf(std::uint64_t bytes) const;
  // Forgets freed allocations in a range. If there is a live allocation in it, returns false and
  // changes nothing.
  bool MakeRoom(DeviceAddress begin, std::uint64_t bytes);
  // Fetches the bytes of an allocation if that is still to be done.
  void Fetch(const Allocation& allocation) const;
  // Returns an address that was never used; nothing if there is none left.
  std::optional<DeviceAddress> NewPlace(std::uint64_t bytes, AllocationKind kind);

  std::uint64_t limit_bytes_;
  bool tracks_writes_;
  std::uint64_t used_bytes_ = 0;
  std::uint64_t held_bytes_ = 0;  // used bytes, rounded up to whole pages
  std::uint64_t used_places_ = 0;
  DeviceAddress next_ = kHeapWindow.begin + kPlaces * kPlaceBytes + kGap;  // behind the places
  // Allocations by their begin, including the latest freed ones.
  std::map<DeviceAddress, Allocation> allocations_;
  std::deque<DeviceAddress> freed_;  // the begins of freed allocations, the oldest first
  std::uint64_t frees_ = 0;

  // The fetches of allocations by their begin. Threads fetch one after the other. The mutex is
  // recursive because `fetch` finds allocations too.
  std::map<DeviceAddress, std::function<void()>> fetches_;
  mutable std::recursive_mutex fetch_mutex_;
  mutable bool is_fetching_ = false;
};

}  // namespace warpcheck::emulator

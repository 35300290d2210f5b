// Carries out one memory access of a warp: looks up its addresses, checks it, counts it, and
// remembers it.
//
// Most accesses are like the one before: the same lanes, at the same distances from each other,
// elsewhere in the same allocation. A memory instruction remembers its last two accesses
// (MemorySite), with their costs and the range of memory in which one test allows all lanes. This
// is the fast path (lane_memory.h). All other accesses come here. Each lane's address is looked up
// (core/memory_region.h). A wrong access becomes a finding (wrong_access.h). A right one is counted
// (access_cost.h), told to the observers, and remembered if it can be repeated. If several threads
// run a launch, each part has its own bytes (HostInPart).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "emulator/core/warp.h"
#include "emulator/memory/speculative_memory.h"

namespace warpcheck::emulator {

// LanePlaces has the host address of each lane's bytes in an access.
//
// A load or store that reaches past the end of its memory has a finding, and the bytes that lie in
// the memory count nevertheless, as on a GPU. Such a lane has a copy of its bytes: those beyond the
// end are poison (all bits set), and what is stored there is lost. A copy that was stored to is
// written to memory when the object is destroyed.
class LanePlaces {
 public:
  template <class Lane>
  std::byte*& operator[](Lane lane) {
    return at_[lane];
  }
  template <class Lane>
  std::byte* operator[](Lane lane) const {
    return at_[lane];
  }

  const std::byte* const* data() const { return at_; }

  // Keeps a copy for an access of which only the first `bytes` bytes, at `host`, lie in memory.
  // Returns the copy.
  std::byte* KeepFirst(int lane, std::byte* host, std::uint32_t bytes, const MemoryInfo& info);

 private:
  static constexpr std::size_t kMostBytes = 32;  // of an access of one lane
  struct FirstPart {
    std::byte* host = nullptr;
    std::uint32_t bytes = 0;  // 0 if the lane has no copy
    std::array<std::byte, kMostBytes> copy = {};
  };
  struct FirstParts {
    FirstParts() = default;
    FirstParts(const FirstParts&) = delete;
    FirstParts& operator=(const FirstParts&) = delete;
    ~FirstParts();
    bool stores = false;
    std::array<FirstPart, kLanes> parts = {};
  };

  std::byte* at_[kLanes];
  std::unique_ptr<FirstParts> first_parts_;  // null in nearly all accesses
};

// Checks, counts and observes the access of the lanes of `mask`. Returns the lanes that may
// continue, and their host addresses in `at`. The other lanes have a finding: they must read poison
// (all bits set), and their writes are dropped. Remembers the access in the step's MemorySite if it
// can be repeated. If `needed` is not null, it has the bytes that each lane needs: of a lane that
// needs fewer than the access has, the others may lie outside of memory.
LaneMask Resolve(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, LanePlaces& at,
                 const std::uint32_t* needed = nullptr);

// Returns the address of `lane`, without checking it.
[[gnu::always_inline]] inline std::uint64_t AddressOf(const std::byte* frame, const Step& step,
                                                      std::uint32_t address_bytes, int lane) {
  if (address_bytes == 8) {
    return reinterpret_cast<const std::uint64_t*>(frame + step.a)[lane] + step.data;
  }
  return std::uint32_t(reinterpret_cast<const std::uint32_t*>(frame + step.a)[lane] + step.data);
}

// Notes a load or store of global memory in a part of a launch (speculative_memory.h). Returns the
// host address that stands for the allocation's first byte in this part. The lowest lane is at
// `offset` in the allocation, and `access` remembers where the others lie.
std::byte* HostInPart(const CachedAccess& access, std::uint64_t offset, LaneMask mask,
                      const MemoryInfo& info);
// Does the same with the addresses of all lanes, in an allocation that begins at `begin`.
std::byte* HostInPart(SpeculativeView& view, const std::uint64_t* addresses, std::uint64_t begin,
                      LaneMask mask, const MemoryInfo& info);

}  // namespace warpcheck::emulator

// Notes which bytes of device memory a launch reads and writes. Each allocation has a bit for each
// byte and kind of use, so that an access of a warp costs a few operations on words.
//
// A fence of system scope makes flags: what its block writes afterwards by atomic or volatile
// accesses is a release. So is a plain store of a single thread after its own fence, because
// programs tell the host in this way too.
//
// Uses by threads that have waited for the kernel before (LaunchUses) are kept apart from the
// others until they are taken.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "device/memory_use.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class MemoryUses : public Observer {
 public:
  void OnBlockBegin(Block& block) override;
  void OnBlockEnd(Block& block) override;
  void OnAccess(const AccessEvent& event) override;
  void OnFence(const FenceEvent& event) override;
  void OnGridControl(const GridControlEvent& event) override;
  void OnBarrier(const BarrierEvent& event) override;
  void OnWarpSync(const WarpSyncEvent& event) override;
  void OnMbarrier(const MbarrierEvent& event) override;

  // Returns the uses since the last call, merged to ranges, at most kMostUses of a kind in an
  // allocation. Forgets them.
  LaunchUses Take();
  // Adds the uses that another object has noted.
  void Add(const MemoryUses& other);
  void Clear();

 private:
  static constexpr std::size_t kKinds = 5;  // of MemoryUse::Kind
  // A bit for each byte of an allocation. Bits are set only in words [low, high).
  struct Bits {
    std::vector<std::uint64_t> words;
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    // Sets bits of words that Widen() has included.
    void Set(std::uint64_t offset, std::uint64_t bytes);
    void Widen(std::uint64_t first, std::uint64_t last);
    void Clear();
    // Sets the bits that `other`, of the same allocation, has.
    void Include(const Bits& other);
    // Clears the bits that `other` has.
    void Remove(const Bits& other);
  };
  struct Marks {
    DeviceAddress begin = 0;
    std::uint64_t bytes = 0;
    std::array<Bits, kKinds> kinds;
    std::array<Bits, kKinds> after_wait;  // the same, by threads that have waited
  };
  // The lanes of a warp of a block, by the warp's index in it.
  using LanesOfWarps = std::map<std::pair<const Block*, std::uint32_t>, LaneMask>;

  static bool HasAny(const LanesOfWarps& lanes, const Block& block);

  MemoryUse::Kind KindOf(const AccessEvent& event) const;
  Bits& BitsOf(MemoryUse::Kind kind, bool after_wait, DeviceAddress begin, std::uint64_t bytes);
  // Notes an access of some of its lanes.
  void Note(const AccessEvent& event, LaneMask lanes, bool after_wait);
  void AddRanges(std::vector<MemoryUse>& uses, const Marks& marks, MemoryUse::Kind kind);
  // Returns the ranges of all kinds by threads that have not waited.
  std::vector<MemoryUse> Ranges();
  LaneMask WaitedOf(const Warp& warp) const;

  std::map<DeviceAddress, Marks> allocations_;
  std::array<Marks*, 8> recent_ = {};  // by begin
  LanesOfWarps fenced_;                // that have executed a fence of system scope
  LanesOfWarps waited_;                // that have waited for the kernel before
  std::set<const Block*> let_begin_;   // blocks that let the next kernel begin before they waited
  bool waits_ = false;
  bool dependents_wait_ = false;
  bool complete_ = true;    // no range was left out
  bool any_fence_ = false;  // a thread of the launch has executed such a fence
};

}  // namespace warpcheck::emulator

// The 64 bits of an mbarrier object (PTX ISA, "mbarrier"; their layout is open there, and this one
// is ours): what arrivals and transactions the current phase waits for.
#pragma once

#include <cstdint>
#include <cstring>

#include "emulator/access/memory_access.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/lanes/lanes.h"
#include "emulator/record/findings.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

inline constexpr std::uint32_t kMostArrivals = (1U << 20) - 1;

class Mbarrier {
 public:
  static Mbarrier Made(std::uint32_t expected) {
    Mbarrier barrier(0);
    barrier.marked_ = true;
    barrier.expected_ = barrier.pending_ = expected & kMostArrivals;
    return barrier;
  }
  explicit Mbarrier(std::uint64_t bits)
      : marked_(bits >> 62 == kMark),
        odd_((bits >> 61 & 1) != 0),
        expected_(static_cast<std::uint32_t>(bits >> 41) & kMostArrivals),
        pending_(static_cast<std::uint32_t>(bits >> 21) & kMostArrivals),
        bytes_(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits) << 11) >> 11) {}

  std::uint64_t Bits() const {
    return (marked_ ? kMark << 62 : 0) | std::uint64_t{odd_} << 61 |
           std::uint64_t{expected_} << 41 | std::uint64_t{pending_} << 21 |
           (static_cast<std::uint32_t>(bytes_) & ((1U << 21) - 1));
  }
  // False for memory that mbarrier.init has not written.
  bool IsMade() const { return marked_; }
  // The parity of the phase that is under way.
  bool odd() const { return odd_; }
  std::uint32_t pending() const { return pending_; }

  void Arrive(std::uint32_t count) {
    pending_ = (pending_ - count) & kMostArrivals;
    EndPhase();
  }
  // From the next phase on; the phase that is under way does not change.
  void ExpectFewer(std::uint32_t count) { expected_ = (expected_ - count) & kMostArrivals; }
  void ExpectBytes(std::uint32_t bytes) { bytes_ += static_cast<std::int32_t>(bytes); }
  void CompleteBytes(std::uint32_t bytes) {
    bytes_ -= static_cast<std::int32_t>(bytes);
    EndPhase();
  }

 private:
  static constexpr std::uint64_t kMark = 2;  // neither what poisoned nor what zeroed memory has

  void EndPhase() {
    if (pending_ != 0 || bytes_ != 0) return;
    odd_ = !odd_;
    pending_ = expected_;
  }

  bool marked_ = false;
  bool odd_ = false;
  std::uint32_t expected_ = 0;
  std::uint32_t pending_ = 0;
  std::int32_t bytes_ = 0;  // still to come; below zero where they came before they were expected
};

// What was done at the barriers of the lanes.
struct MbarriersDone {
  std::byte* at[kLanes];
  LaneMask lanes = 0;  // whose barrier is there
  LaneMask ended = 0;  // that ended its phase

  void Tell(const Step& step, Warp& warp, MbarrierEvent::What what) const {
    TellMbarriers(warp, step, what, lanes, at, ended);
  }
};

// An mbarrier object lies in shared memory (PTX ISA, "mbarrier"); elsewhere the kernel ends.
inline bool LiesInShared(const Warp& warp, const std::byte* at) {
  const std::vector<std::byte>& shared = warp.block->shared;
  return at >= shared.data() && at < shared.data() + shared.size();
}
inline void RefuseMbarrier(Warp& warp, const Step& step, LaneMask lanes) {
  Report(warp, step, FindingKind::kIllegalAddress, lanes,
         "uses an mbarrier object outside of shared memory, which PTX does not allow",
         "declare the barrier __shared__: each block has its own");
  warp.launch->Stop(DeviceError::kIllegalAddress);
}

// Applies change(barrier, lane) to the barrier of each lane, one after the other: to such as
// mbarrier.init has made. The others are a finding that says `unmade`; null: all will do.
template <class Change>
MbarriersDone ForEachMbarrier(
    std::byte* frame, const Step& step, LaneMask mask, Warp& warp, Change change,
    const char* unmade = "uses an mbarrier that mbarrier.init has not made") {
  MbarriersDone done;
  const LaneMask good = Resolve(frame, step, mask, warp, done.at);
  ForEachLane(good, [&](int lane) {
    const LaneMask bit = LaneMask{1} << lane;
    if (!LiesInShared(warp, done.at[lane])) return RefuseMbarrier(warp, step, bit);
    std::uint64_t bits = 0;
    std::memcpy(&bits, done.at[lane], sizeof bits);
    Mbarrier barrier(bits);
    if (unmade != nullptr && !barrier.IsMade()) {
      return Report(warp, step, FindingKind::kUninitialisedBarrier, bit, unmade);
    }
    const bool odd = barrier.odd();
    change(barrier, lane);
    bits = barrier.Bits();
    std::memcpy(done.at[lane], &bits, sizeof bits);
    done.lanes |= bit;
    if (barrier.odd() != odd) done.ended |= bit;
  });
  return done;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

// An Mbarrier is an mbarrier object of 64 bits. It has the arrivals and transactions that the
// current phase waits for. The PTX ISA ("mbarrier") does not define the layout; this layout is
// ours.
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
  // Returns false for memory that mbarrier.init has not written.
  bool IsMade() const { return marked_; }
  // Returns the parity of the current phase.
  bool odd() const { return odd_; }
  std::uint32_t pending() const { return pending_; }

  void Arrive(std::uint32_t count) {
    pending_ = (pending_ - count) & kMostArrivals;
    EndPhase();
  }
  // Lowers the expected arrivals, starting with the next phase; the current phase does not change.
  void ExpectFewer(std::uint32_t count) { expected_ = (expected_ - count) & kMostArrivals; }
  void ExpectBytes(std::uint32_t bytes) { bytes_ += static_cast<std::int32_t>(bytes); }
  void CompleteBytes(std::uint32_t bytes) {
    bytes_ -= static_cast<std::int32_t>(bytes);
    EndPhase();
  }

 private:
  // Poisoned and zeroed memory have other bits in this place.
  static constexpr std::uint64_t kMark = 2;

  void EndPhase() {
    if (pending_ != 0 || bytes_ != 0) return;
    odd_ = !odd_;
    pending_ = expected_;
  }

  bool marked_ = false;
  bool odd_ = false;
  std::uint32_t expected_ = 0;
  std::uint32_t pending_ = 0;
  std::int32_t bytes_ =
      0;  // bytes still to arrive; negative if they arrived before they were expected
};

// The result of an operation at the barriers of the lanes.
struct MbarriersDone {
  LanePlaces at;
  LaneMask lanes = 0;  // the lanes that have a valid barrier
  LaneMask ended = 0;  // the lanes whose operation ended a phase

  void Tell(const Step& step, Warp& warp, MbarrierEvent::What what) const {
    TellMbarriers(warp, step, what, lanes, at.data(), ended);
  }
  // Returns the offset of the lane's barrier in shared memory.
  std::uint64_t Offset(const Warp& warp, std::size_t lane) const {
    return static_cast<std::uint64_t>(at[lane] - warp.block->shared.data());
  }
};

// Notes the phases that an operation ended (core/mbarrier_phases.h).
inline void NoteEnds(const MbarriersDone& done, Warp& warp) {
  ForEachLane(done.ended, [&](int lane) {
    warp.block->phases.Ended(done.Offset(warp, static_cast<std::size_t>(lane)));
  });
}

// Finds the mbarrier objects of the lanes. An object must be in shared memory (PTX ISA,
// "mbarrier"); if it is elsewhere, the kernel ends.
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

// Calls change(barrier, lane) for the barrier of each lane, one after the other. Reports a barrier
// that mbarrier.init has not made, with the text `unmade`, unless that is null.
template <class Change>
MbarriersDone ForEachMbarrier(
    std::byte* frame, const Step& step, LaneMask mask, Warp& warp, Change change,
    const char* unmade = "uses an mbarrier that mbarrier.init has not initialised") {
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

// Executes mbarrier.* and the arrivals of copies (PTX ISA, "Asynchronous Barrier"). Waiting never
// blocks here: try_wait does the same as test_wait, and kernels repeat it in a loop.
#include "emulator/instructions/mbarrier.h"

#include <algorithm>
#include <bit>

#include "emulator/decode/access_decoder.h"
#include "emulator/decode/decoder.h"
#include "emulator/decode/operands.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_types.h"
#include "hardware/counter_law.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

// Lanes use their objects in these ways.
enum class Use : std::uint8_t {
  kArrive,   // each lane arrives once
  kNumbers,  // the lanes give numbers to their objects
  kWait,     // the lanes ask for the state of their objects
};

// Counts an operation at the objects of the lanes, which are 8 bytes each. It takes the passes of
// an update of shared memory without a result. Lanes that give numbers to one object take turns, as
// with an atomic that returns a result. Lanes that arrive at one object, or wait for it, may only
// wait for other warps: such arrivals are counted when their phase has ended
// (core/mbarrier_phases.h), and such waits are not counted.
void Count(const MbarriersDone& done, const Step& step, Warp& warp, Use use) {
  if (done.lanes == 0) return;
  int turns = 0;  // the most lanes that share an object
  LaneAddresses objects = {};
  ForEachLane(done.lanes, [&](int lane) {
    int same = 0;
    ForEachLane(done.lanes, [&](int other) { same += done.at[other] == done.at[lane] ? 1 : 0; });
    turns = std::max(turns, same);
    objects[static_cast<std::size_t>(lane)] = done.Offset(warp, static_cast<std::size_t>(lane));
  });
  MbarrierPhases& phases = warp.block->phases;
  const int lanes = std::popcount(done.lanes);
  const bool one = turns == lanes;
  const WarpAccess access{done.lanes, objects.data(), sizeof(U64)};
  const SharedCost cost =
      CostOfShared(warp.launch->hardware->memory, access, AccessExample::Kind::kReduction);
  Tally tally{.requests = 1, .cost = one ? 1 : cost.wavefronts, .lanes = static_cast<U64>(lanes)};
  Tally& site = warp.running.sites[step.memory].Of(TallyOf::kOther);
  const U64 first = objects[static_cast<std::size_t>(std::countr_zero(done.lanes))];
  if (use == Use::kArrive && one) {
    phases.Arrived(first, warp.index, tally, site);
  } else if (use != Use::kWait || !one) {
    if (use == Use::kNumbers) {
      tally.cost += static_cast<U64>(turns - 1);
      ForEachLane(done.lanes,
                  [&](int lane) { phases.Numbered(objects[static_cast<std::size_t>(lane)]); });
    }
    site += tally;
  }
  NoteEnds(done, warp);
}

void Init(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U32* counts = Lanes<U32>(frame, step.b);
  const auto change = [&](Mbarrier& barrier, int lane) { barrier = Mbarrier::Made(counts[lane]); };
  Count(ForEachMbarrier(frame, step, mask, warp, change, nullptr), step, warp, Use::kNumbers);
}

void Invalidate(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const auto change = [](Mbarrier& barrier, int) { barrier = Mbarrier(0); };
  Count(ForEachMbarrier(frame, step, mask, warp, change), step, warp, Use::kNumbers);
}

// Executes an arrival. step.b is the count or, with `expects`, the number of bytes. step.d gets the
// state before the arrival, if step.flip says that it is needed.
template <bool drops, bool expects>
void ArriveAt(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U32* numbers = Lanes<U32>(frame, step.b);
  U64* states = Lanes<U64>(frame, step.d);
  const auto change = [&](Mbarrier& barrier, int lane) {
    const U64 before = barrier.Bits();
    const U32 count = expects ? 1 : numbers[lane];
    if (expects) barrier.ExpectBytes(numbers[lane]);
    if (drops) barrier.ExpectFewer(count);
    barrier.Arrive(count);
    if (step.flip != 0) states[lane] = before;
  };
  const MbarriersDone done = ForEachMbarrier(frame, step, mask, warp, change);
  done.Tell(step, warp, MbarrierEvent::What::kArrive);
  bool numbered = expects;
  ForEachLane(mask, [&](int lane) { numbered = numbered || numbers[lane] != 1; });
  Count(done, step, warp, numbered ? Use::kNumbers : Use::kArrive);
}

void ExpectBytes(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U32* bytes = Lanes<U32>(frame, step.b);
  const auto change = [&](Mbarrier& barrier, int lane) { barrier.ExpectBytes(bytes[lane]); };
  Count(ForEachMbarrier(frame, step, mask, warp, change), step, warp, Use::kNumbers);
}
void CompleteBytes(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U32* bytes = Lanes<U32>(frame, step.b);
  const auto change = [&](Mbarrier& barrier, int lane) { barrier.CompleteBytes(bytes[lane]); };
  const MbarriersDone done = ForEachMbarrier(frame, step, mask, warp, change);
  done.Tell(step, warp, MbarrierEvent::What::kBytes);
  Count(done, step, warp, Use::kNumbers);
}

// Tests whether a phase has ended. step.b has the state of the phase, or its parity. If the barrier
// is invalid, its waiters continue after it has been reported.
template <bool parity>
void TestWait(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U32* parities = Lanes<U32>(frame, step.b);
  const U64* states = Lanes<U64>(frame, step.b);
  LaneMask ended = mask;
  MbarriersDone done =
      ForEachMbarrier(frame, step, mask, warp, [&](const Mbarrier& barrier, int lane) {
        const bool phase = parity ? (parities[lane] & 1) != 0 : Mbarrier(states[lane]).odd();
        if (phase == barrier.odd()) ended &= ~(LaneMask{1} << lane);
      });
  Count(done, step, warp, Use::kWait);
  done.lanes &= ended;
  done.Tell(step, warp, MbarrierEvent::What::kSawItsEnd);
  StorePredicate(frame, step.d, mask, ended);
}

using PendingOp = decltype([](U64 state) -> U32 { return Mbarrier(state).pending(); });

// Executes the arrival for the copies that a lane has made, which are complete. Without .noinc the
// arrival also raises the expected count, so nothing changes.
void ArriveAfterCopies(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const auto change = [&](Mbarrier& barrier, int) {
    if (step.flip != 0) barrier.Arrive(1);
  };
  const MbarriersDone done = ForEachMbarrier(frame, step, mask, warp, change);
  done.Tell(step, warp, MbarrierEvent::What::kCopies);
  Count(done, step, warp, Use::kArrive);
}

// Decodes the barrier's address at operand `index`.
void DecodeBarrier(Operands& operands, Step& step, std::size_t index, MemoryOrder order,
                   MemoryInfo::Kind kind = MemoryInfo::Kind::kAtomic) {
  const ptx::Suffixes& suffixes = operands.modifiers().suffixes;
  MemoryInfo& info = DecodeAccess(operands, step, index, sizeof(U64), kind);
  info.counting = Counting::kBarrier;
  info.mbarrier = true;
  info.order = suffixes.Has("relaxed") ? MemoryOrder::kRelaxed : order;
  info.scope = MemoryScope::kBlock;
}

StepFunction DecodeArrival(Operands& operands, Step& step, bool drops) {
  const bool expects = operands.modifiers().suffixes.Has("expect_tx");
  if (expects && !operands.Present(2)) {
    operands.Refuse("expects bytes, but does not say how many");
    return nullptr;
  }
  step.flip = operands.Present(0) ? 1 : 0;
  step.d = operands.Destination(0, sizeof(U64));
  DecodeBarrier(operands, step, 1, MemoryOrder::kRelease);
  step.b = operands.Present(2) ? operands.Source(2, 4) : operands.decoder().Constant(1, 4);
  return OnFlags([]<bool dropping, bool expecting>() { return &ArriveAt<dropping, expecting>; },
                 drops, expects);
}

}  // namespace

StepFunction DecodeMbarrierInit(Operands& operands, Step& step) {
  DecodeBarrier(operands, step, 0, MemoryOrder::kWeak, MemoryInfo::Kind::kStore);
  step.b = operands.Source(1, 4);
  return &Init;
}
StepFunction DecodeMbarrierInval(Operands& operands, Step& step) {
  DecodeBarrier(operands, step, 0, MemoryOrder::kRelaxed);
  return &Invalidate;
}
StepFunction DecodeMbarrierArrive(Operands& o, Step& s) { return DecodeArrival(o, s, false); }
StepFunction DecodeMbarrierArriveDrop(Operands& o, Step& s) { return DecodeArrival(o, s, true); }
StepFunction DecodeMbarrierTestWait(Operands& operands, Step& step) {
  const bool parity = operands.modifiers().suffixes.Has("parity");
  step.d = operands.DestinationPredicate(0);
  DecodeBarrier(operands, step, 1, MemoryOrder::kAcquire);
  step.b = operands.Source(2, parity ? 4 : 8);
  return parity ? &TestWait<true> : &TestWait<false>;
}
StepFunction DecodeMbarrierTryWait(Operands& o, Step& s) { return DecodeMbarrierTestWait(o, s); }
StepFunction DecodeMbarrierPendingCount(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, 8);
  return &Unary<U32, U64, PendingOp>;
}
StepFunction DecodeMbarrierExpectTx(Operands& operands, Step& step) {
  DecodeBarrier(operands, step, 0, MemoryOrder::kRelaxed);
  step.b = operands.Source(1, 4);
  return &ExpectBytes;
}
StepFunction DecodeMbarrierCompleteTx(Operands& operands, Step& step) {
  DecodeBarrier(operands, step, 0, MemoryOrder::kRelaxed);
  step.b = operands.Source(1, 4);
  return &CompleteBytes;
}
StepFunction DecodeCpAsyncMbarrierArrive(Operands& operands, Step& step) {
  DecodeBarrier(operands, step, 0, MemoryOrder::kRelease);
  step.flip = operands.modifiers().suffixes.Has("noinc") ? 1 : 0;
  return &ArriveAfterCopies;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

// Executes instructions in which lanes of a warp read each other's values: shfl, vote, match,
// redux, activemask (PTX ISA, "Data Movement" and "Parallel Synchronization").
#include <functional>

#include "emulator/core/observer.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lanes.h"
#include "emulator/lanes/shuffle_source.h"
#include "emulator/warps/warp_sync.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;

// Calls body(lane, participants) for each executing lane. The participants are the lanes that
// execute the instruction and that the lane's mask names. Masks that do not fit are reported, and
// then only executing lanes take part.
template <class Body>
void ForEachMember(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, Body body) {
  const U32* members = Lanes<U32>(frame, step.members);
  if (warp.observers != nullptr) [[unlikely]]
    TellWarpSync(warp, step, mask, members, false);
  if (AllTakePart(members, mask, warp)) {
    ForEachLane(mask, [&](int lane) { body(lane, mask); });
  } else {
    ForEachLane(mask, [&](int lane) {
      body(lane, CheckMembers(warp, step, mask, members, lane) ? mask & members[lane] : mask);
    });
  }
}

// Stores the results after all lanes have read, because a destination may also be a source.
template <class T>
void StoreResults(std::byte* frame, const Step& step, LaneMask mask, const T (&results)[kLanes]) {
  T* d = Lanes<T>(frame, step.d);
  ForEachLane(mask, [&](int lane) { d[lane] = results[lane]; });
}

// Shuffles. The value of a lane that does not take part is undefined; the result is then poison.
template <ptx::Shuffle mode>
void Shfl(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  U32 values[kLanes];
  const U32* a = Lanes<U32>(frame, step.a);
  for (int i = 0; i < kLanes; ++i) values[i] = ((mask >> i) & 1U) != 0 ? a[i] : ~U32{0};
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  U32 results[kLanes];
  LaneMask in_range = 0;
  LaneMask undefined = 0;
  ForEachMember(frame, step, mask, warp, [&](int lane, LaneMask participants) {
    const ShuffleSource source = SourceOfShuffle(mode, lane, b[lane], c[lane]);
    const bool there = ((participants >> source.lane) & 1U) != 0;
    results[lane] = there ? values[source.lane] : ~U32{0};
    in_range |= LaneMask{source.inside ? 1U : 0U} << lane;
    undefined |= LaneMask{there ? 0U : 1U} << lane;
  });
  if (undefined != 0 && warp.tracker != nullptr) [[unlikely]]
    warp.tracker->ShuffledFromNobody(warp, step, undefined);
  StoreResults(frame, step, mask, results);
  if (step.data != 0) StorePredicate(frame, step.q, mask, in_range);
}

constexpr bool HoldsForAll(LaneMask holds, LaneMask participants) {
  return (participants & ~holds) == 0;
}
constexpr bool HoldsForAny(LaneMask holds, LaneMask participants) {
  return (participants & holds) != 0;
}
constexpr bool HoldsForAllOrNone(LaneMask holds, LaneMask participants) {
  return HoldsForAll(holds, participants) || !HoldsForAny(holds, participants);
}

template <auto rule>
void Vote(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const LaneMask holds = Predicate(frame, step.a) ^ step.flip;
  LaneMask result = 0;
  ForEachMember(frame, step, mask, warp, [&](int lane, LaneMask participants) {
    result |= LaneMask{rule(holds, participants) ? 1U : 0U} << lane;
  });
  StorePredicate(frame, step.d, mask, result);
}

void Ballot(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const LaneMask holds = Predicate(frame, step.a) ^ step.flip;
  U32* d = Lanes<U32>(frame, step.d);
  ForEachMember(frame, step, mask, warp,
                [&](int lane, LaneMask participants) { d[lane] = holds & participants; });
}

template <class T>
LaneMask LanesEqual(const T* values, T value, LaneMask participants) {
  return LanesWhere([&](int lane) { return values[lane] == value; }) & participants;
}

template <class T>
void MatchAny(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const T* a = Lanes<T>(frame, step.a);
  U32 results[kLanes];
  ForEachMember(frame, step, mask, warp, [&](int lane, LaneMask participants) {
    results[lane] = LanesEqual(a, a[lane], participants);
  });
  StoreResults(frame, step, mask, results);
}

template <class T>
void MatchAll(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const T* a = Lanes<T>(frame, step.a);
  U32 results[kLanes];
  LaneMask same = 0;
  ForEachMember(frame, step, mask, warp, [&](int lane, LaneMask participants) {
    const bool all = LanesEqual(a, a[lane], participants) == participants;
    results[lane] = all ? participants : 0;
    same |= LaneMask{all ? 1U : 0U} << lane;
  });
  StoreResults(frame, step, mask, results);
  if (step.data != 0) StorePredicate(frame, step.q, mask, same);
}

using MinOp = decltype([]<class T>(T a, T b) -> T { return b < a ? b : a; });
using MaxOp = decltype([]<class T>(T a, T b) -> T { return a < b ? b : a; });

template <class T, class Op>
void Redux(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const T* a = Lanes<T>(frame, step.a);
  T results[kLanes];
  ForEachMember(frame, step, mask, warp, [&](int lane, LaneMask participants) {
    T result = a[std::countr_zero(participants)];
    ForEachLane(participants & (participants - 1),
                [&](int other) { result = Op{}(result, a[other]); });
    results[lane] = result;
  });
  StoreResults(frame, step, mask, results);
}

void ActiveMask(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  U32* d = Lanes<U32>(frame, step.d);
  ForEachLane(mask, [&](int lane) { d[lane] = mask; });
}

template <class T>
StepFunction ReduxOf(ptx::Atomic operation) {
  switch (operation) {
    case ptx::Atomic::kAdd:  // signed sums have the same bits in two's complement
      return Redux<U32, std::plus<>>;
    case ptx::Atomic::kMin:
      return Redux<T, MinOp>;
    case ptx::Atomic::kMax:
      return Redux<T, MaxOp>;
    case ptx::Atomic::kAnd:
      return Redux<U32, std::bit_and<>>;
    case ptx::Atomic::kOr:
      return Redux<U32, std::bit_or<>>;
    case ptx::Atomic::kXor:
      return Redux<U32, std::bit_xor<>>;
    default:
      return nullptr;
  }
}

// Decodes "%p" of "%d|%p". step.data says whether it is written.
void DecodeSecondResult(Operands& operands, Step& step) {
  step.data = operands.Present(1) ? 1 : 0;
  if (step.data != 0) step.q = operands.DestinationPredicate(1);
}

}  // namespace

StepFunction DecodeShfl(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  DecodeSecondResult(operands, step);
  step.a = operands.Source(2, 4);
  step.b = operands.Source(3, 4);
  step.c = operands.Source(4, 4);
  step.members = operands.Source(5, 4);
  switch (operands.modifiers().shuffle) {
    case ptx::Shuffle::kUp:
      return Shfl<ptx::Shuffle::kUp>;
    case ptx::Shuffle::kDown:
      return Shfl<ptx::Shuffle::kDown>;
    case ptx::Shuffle::kBfly:
      return Shfl<ptx::Shuffle::kBfly>;
    case ptx::Shuffle::kIdx:
      return Shfl<ptx::Shuffle::kIdx>;
    default:
      return nullptr;
  }
}

StepFunction DecodeVote(Operands& operands, Step& step) {
  const ptx::Vote kind = operands.modifiers().vote;
  step.d =
      kind == ptx::Vote::kBallot ? operands.Destination(0, 4) : operands.DestinationPredicate(0);
  step.a = operands.SourcePredicate(1, step.flip);
  step.members = operands.Source(2, 4);
  switch (kind) {
    case ptx::Vote::kAll:
      return Vote<HoldsForAll>;
    case ptx::Vote::kAny:
      return Vote<HoldsForAny>;
    case ptx::Vote::kUni:
      return Vote<HoldsForAllOrNone>;
    case ptx::Vote::kBallot:
      return Ballot;
    default:
      return nullptr;
  }
}

StepFunction DecodeMatch(Operands& operands, Step& step) {
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  const bool all = operands.modifiers().all;
  const std::size_t value = all ? 2 : 1;
  step.d = operands.Destination(0, 4);
  if (all) DecodeSecondResult(operands, step);
  step.a = operands.Source(value, bytes);
  step.members = operands.Source(value + 1, 4);
  if (bytes == 4) return all ? MatchAll<U32> : MatchAny<U32>;
  if (bytes == 8) return all ? MatchAll<std::uint64_t> : MatchAny<std::uint64_t>;
  return nullptr;
}

StepFunction DecodeRedux(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.a = operands.Source(1, 4);
  step.members = operands.Source(2, 4);
  const ptx::Atomic operation = operands.modifiers().atomic;
  return ptx::IsSigned(operands.type()) ? ReduxOf<std::int32_t>(operation)
                                        : ReduxOf<U32>(operation);
}

StepFunction DecodeActivemask(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  return ActiveMask;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

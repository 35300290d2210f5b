#include "emulator/checkers/initialisation/value_flow.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "emulator/checkers/initialisation/undecided.h"
#include "emulator/core/block.h"
#include "emulator/lanes/shuffle_source.h"
#include "emulator/record/findings.h"

namespace warpcheck::emulator {
namespace {

// Counts how a condition of several lanes, of which some are undefined, can turn out.
struct Votes {
  Taint undefined;        // some lanes for which the condition is undefined
  bool holds = false;     // it holds for a lane for which it is defined
  bool does_not = false;  // it does not hold for such a lane

  void Add(const Taint& taint, LaneMask values, LaneMask lanes) {
    if ((taint.lanes & lanes) != 0) undefined = {taint.lanes & lanes, taint.origin};
    const LaneMask defined = lanes & ~taint.lanes;
    holds = holds || (defined & values) != 0;
    does_not = does_not || (defined & ~values) != 0;
  }
};

// Returns true if the result of a vote is the same for all values of the undefined lanes.
bool IsDecided(ptx::Vote vote, const Votes& votes) {
  switch (vote) {
    case ptx::Vote::kAll:
      return votes.does_not;
    case ptx::Vote::kAny:
      return votes.holds;
    case ptx::Vote::kUni:
      return votes.holds && votes.does_not;
    default:
      return false;
  }
}

// Returns the taint that the sources from `first` on have together, in these lanes.
Taint GatheredFrom(std::size_t first, const Taint* taints, const Flow& flow, LaneMask lanes) {
  return ValueFlow::Gathered(taints, std::span(flow.sources).subspan(first), lanes);
}

// Returns the taint of the results of a step that does not access memory.
Taint ResultOf(Warp& warp, const Step& step, const Flow& flow, LaneMask lanes) {
  Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  Taint result = GatheredFrom(0, taints, flow, lanes);
  const ptx::Instruction& instruction = warp.running.program->function->body[step.index];
  switch (flow.kind) {
    case Flow::Kind::kWarpCollective:
      if (result.lanes == 0) return result;
      if (instruction.opcode == ptx::Opcode::kVote &&
          GatheredFrom(1, taints, flow, lanes).lanes == 0) {
        Votes votes;
        votes.Add(taints[flow.sources[0]], Predicate(warp.running.frame, step.a) ^ step.flip,
                  lanes);
        if (IsDecided(instruction.modifiers.vote, votes)) return {};
      }
      result.lanes = lanes;
      return result;
    case Flow::Kind::kShuffle: {
      const ptx::Shuffle mode = instruction.modifiers.shuffle;
      const auto* b = Lanes<std::uint32_t>(warp.running.frame, step.b);
      const auto* c = Lanes<std::uint32_t>(warp.running.frame, step.c);
      const Taint& value = taints[flow.sources[0]];
      const LaneMask given = LanesAmong(lanes, [&](std::size_t lane) {
        const int source = SourceOfShuffle(mode, static_cast<int>(lane), b[lane], c[lane]).lane;
        return ((value.lanes >> source) & 1U) != 0;
      });
      const Taint named = GatheredFrom(1, taints, flow, lanes);
      return {given | named.lanes, given != 0 ? value.origin : named.origin};
    }
    default:
      return result;
  }
}

// Copies taints between registers and the bytes of a parameter area.
void Copy(Taint* taints, const Flow& flow, LaneMask lanes) {
  const bool load = flow.kind == Flow::Kind::kLoadArea;
  const std::size_t values = load ? flow.destinations.size() : flow.sources.size();
  for (std::size_t i = 0; i < values; ++i) {
    Taint value = load ? Taint{} : taints[flow.sources[i]];
    for (std::size_t byte = i * flow.bytes; byte < (i + 1) * flow.bytes; ++byte) {
      if (!load) {
        SetTaint(taints[flow.destinations[byte]], value, lanes);
      } else if (taints[flow.sources[byte]].lanes != 0) {
        const Taint& from = taints[flow.sources[byte]];
        value = {value.lanes | from.lanes, from.origin};
      }
    }
    if (load) SetTaint(taints[flow.destinations[i]], value, lanes);
  }
}

}  // namespace

void ValueFlow::BeginLaunch() {
  flows_.clear();
  carry_.clear();
}

const std::vector<Flow>& ValueFlow::FlowsFor(const Program& program) {
  const auto [found, added] = flows_.try_emplace(&program);
  if (added) found->second = FlowsOf(program);
  return found->second;
}

Taint ValueFlow::Gathered(const Taint* taints, std::span<const TaintIndex> sources,
                          LaneMask lanes) {
  Taint all;
  for (const TaintIndex from : sources) {
    const LaneMask here = taints[from].lanes & lanes;
    if (here != 0) all = {all.lanes | here, taints[from].origin};
  }
  return all;
}

void ValueFlow::Enter(Warp& warp) {
  const Frame& frame = warp.running.frames.back();
  if (warp.running.frames.size() == 1) warp.tainted = false;
  std::memset(static_cast<void*>(TaintsIn(frame.registers, *frame.program)), 0,
              TaintBytes(*frame.program));
}

void ValueFlow::Check(Warp& warp, const Step& step, const Taint& taint, LaneMask lanes,
                      UndefinedUse use) const {
  if ((taint.lanes & lanes) == 0) return;
  ReportUse(warp, step, taint.lanes & lanes, use, origins_.Find(taint.origin));
}

void ValueFlow::PropagateThroughMemory(Warp& warp, const Step& step, const Flow& flow,
                                       LaneMask lanes) const {
  Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  Check(warp, step, Gathered(taints, flow.sources, lanes), lanes, UndefinedUse::kAddress);
  for (const TaintIndex to : flow.destinations) SetTaint(taints[to], {}, lanes);
}

void ValueFlow::Propagate(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) {
  const Flow& flow = FlowsFor(*warp.running.program)[step.index];
  Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  const Taint guard = taints[TaintOf(step.guard)];
  switch (flow.kind) {
    case Flow::Kind::kMemory:
      Check(warp, step, guard, mask, UndefinedUse::kBranch);
      if (lanes != 0) PropagateThroughMemory(warp, step, flow, lanes);
      return;
    case Flow::Kind::kLoadArea:
    case Flow::Kind::kStoreArea:
      Copy(taints, flow, lanes);
      return;
    case Flow::Kind::kWait:
      Check(warp, step, guard, mask, UndefinedUse::kBranch);
      Check(warp, step, GatheredFrom(0, taints, flow, lanes), lanes, UndefinedUse::kWait);
      return;
    default:
      break;
  }
  Taint result = ResultOf(warp, step, flow, lanes);
  DestinationMasks may = {kAllLanes, kAllLanes};
  // The value that a shuffle gives does not decide if the lane that it names exists.
  if (flow.kind == Flow::Kind::kShuffle) may[1] = GatheredFrom(1, taints, flow, lanes).lanes;
  if (result.lanes != 0 && flow.may_be_decided()) may = Undecided(warp, step, flow, lanes);
  result.lanes &= may[0] | may[1];
  Taint* const carry = flow.reads_carry || flow.writes_carry ? &carry_[&warp] : nullptr;
  const LaneMask carried = flow.reads_carry ? carry->lanes & lanes : 0;
  if (carried != 0 && result.lanes == 0) result.origin = carry->origin;
  result.lanes |= carried;
  if (flow.writes_carry) SetTaint(*carry, result, lanes);
  // If the guard is undefined, it is also undefined whether the result is written at all.
  if ((guard.lanes & mask) != 0) result = {result.lanes | (guard.lanes & mask), guard.origin};
  for (std::size_t i = 0; i < flow.destinations.size(); ++i) {
    Taint one = result;
    one.lanes &= may[std::min<std::size_t>(i, 1)] | (guard.lanes & mask) | carried;
    SetTaint(taints[flow.destinations[i]], one, lanes | (guard.lanes & mask));
  }
}

void ValueFlow::PropagateAtEnding(Warp& warp, const Step& step, LaneMask mask, LaneMask lanes) {
  Taint* const taints = TaintsIn(warp.running.frame, *warp.running.program);
  Check(warp, step, taints[TaintOf(step.guard)], mask, UndefinedUse::kBranch);
  const Flow& flow = FlowsFor(*warp.running.program)[step.index];
  const ptx::Opcode opcode = warp.running.program->function->body[step.index].opcode;
  Taint used;
  UndefinedUse use = UndefinedUse::kBranch;
  if (opcode == ptx::Opcode::kBrxIdx) {
    used = Gathered(taints, flow.sources, lanes);
  } else if (opcode == ptx::Opcode::kCall) {
    // Its arguments are copied with their taints (frames.h).
    if (!warp.running.program->calls[step.data].direct) used = taints[TaintOf(step.a)];
  } else {
    use = UndefinedUse::kWait;
    // MeetAtBarrier() follows the value that a barrier combines, which is its last source.
    const std::size_t followed = flow.kind == Flow::Kind::kBlockCollective ? 1 : 0;
    used = Gathered(taints, std::span(flow.sources).first(flow.sources.size() - followed), lanes);
  }
  Check(warp, step, used, lanes, use);
  if (flow.kind == Flow::Kind::kBlockCollective) return;
  for (const TaintIndex to : flow.destinations) SetTaint(taints[to], {}, lanes);
}

void ValueFlow::MeetAtBarrier(const BarrierEvent& event) {
  const auto each = [&](auto&& body) {
    for (Warp& warp : event.block.warps) {
      if (((event.waited >> warp.index) & 1U) == 0) continue;
      const Subwarp& here = warp.running;
      const Flow& flow = FlowsFor(*here.program)[here.barrier->index];
      if (flow.kind == Flow::Kind::kBlockCollective) {
        body(warp, flow, TaintsIn(here.frame, *here.program));
      }
    }
  };
  Votes votes;
  bool tainted = false;
  each([&](const Warp& warp, const Flow& flow, const Taint* taints) {
    const Subwarp& here = warp.running;
    tainted = tainted || warp.tainted;
    votes.Add(warp.tainted ? taints[flow.sources.back()] : Taint{},
              Predicate(here.frame, here.barrier->c) ^ here.barrier->flip, here.barrier_lanes);
  });
  if (!tainted) return;
  each([&](Warp& warp, const Flow& flow, Taint* taints) {
    const auto kind = static_cast<BarrierKind>(warp.running.barrier->data);
    const bool decided = (kind == BarrierKind::kAnd && IsDecided(ptx::Vote::kAll, votes)) ||
                         (kind == BarrierKind::kOr && IsDecided(ptx::Vote::kAny, votes));
    Taint result;
    if (votes.undefined.lanes != 0 && !decided) result = {kAllLanes, votes.undefined.origin};
    warp.tainted = warp.tainted || result.lanes != 0;
    SetTaint(taints[flow.destinations.front()], result, warp.running.barrier_lanes);
  });
}

void ValueFlow::ShuffledFromNobody(Warp& warp, const Step& step, LaneMask lanes) {
  // A mask that does not fit is the mistake itself, and was reported.
  if (Reported(warp, step, FindingKind::kWarpSyncMask)) return;
  const ptx::Shuffle mode = warp.running.program->function->body[step.index].modifiers.shuffle;
  Origin origin{.program = warp.running.program,
                .instruction = step.index,
                .lanes = lanes,
                .block = warp.block->index,
                .warp = warp.index};
  const auto* b = Lanes<std::uint32_t>(warp.running.frame, step.b);
  const auto* c = Lanes<std::uint32_t>(warp.running.frame, step.c);
  const auto* members = Lanes<LaneMask>(warp.running.frame, step.members);
  EachLane(lanes, [&](std::size_t lane) {
    const int source = SourceOfShuffle(mode, static_cast<int>(lane), b[lane], c[lane]).lane;
    origin.addresses[lane] = static_cast<std::uint64_t>(source);
    origin.members[lane] = members[lane];
  });
  // A register keeps only one origin. If there are several steps, the origin of the first one is
  // the cause.
  Taint& taint = TaintsIn(warp.running.frame, *warp.running.program)[TaintOf(step.d)];
  taint = {taint.lanes | lanes, taint.lanes != 0 ? taint.origin : origins_.Add(origin)};
  warp.tainted = true;
}

}  // namespace warpcheck::emulator

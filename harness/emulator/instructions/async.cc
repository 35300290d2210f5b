// Executes asynchronous copies (PTX ISA, "cp.async", "cp.async.bulk"), and the instructions that
// accompany them: elect, proxy fences, cache policies. Here a copy is complete when its instruction
// is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "emulator/access/access_cost.h"
#include "emulator/access/memory_access.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/decode/access_decoder.h"
#include "emulator/decode/decoder.h"
#include "emulator/decode/operands.h"
#include "emulator/instructions/instructions.h"
#include "emulator/instructions/mbarrier.h"
#include "emulator/lanes/lane_types.h"
#include "emulator/record/findings.h"
#include "emulator/record/overhead.h"
#include "emulator/warps/warp_sync.h"
#include "hardware/counter_law.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

// Decodes one side of a copy, at operand `index`.
MemoryInfo& DecodeSide(Operands& operands, Step& step, std::size_t index, U32 bytes,
                       MemoryInfo::Kind kind, ptx::Space space, AsyncCopy copy, Counting counting) {
  MemoryInfo& info = DecodeAccess(operands, step, index, bytes, kind);
  info.space = space;
  info.copy = copy;
  info.counting = counting;
  return info;
}

// Adds the cost of reading the sources of a copy, by allocation.
void AddSourcesByAllocation(const Warp& warp, MemorySite& site, const MemoryInfo& info,
                            LaneMask mask, const LaneAddresses& sources, const Tally& cost) {
  std::array<LanesOfAllocation, kLanes> share;
  std::size_t shares = 0;
  for (LaneMask open = mask; open != 0; ++shares) {
    const U64 first = sources[static_cast<std::size_t>(std::countr_zero(open))];
    const Allocation* const allocation = warp.launch->memory->Find(first, info.bytes);
    const LaneMask lanes = LanesAmong(open, [&](std::size_t lane) {
      return sources[lane] == first ||
             (allocation != nullptr && sources[lane] >= allocation->begin &&
              sources[lane] < allocation->end());
    });
    share[shares] = {.begin = allocation == nullptr ? 0 : allocation->begin, .lanes = lanes};
    open &= ~lanes;
  }
  AddByAllocation(site, warp.launch->hardware->memory, info, {share.data(), shares}, sources, cost);
}

// Counts the sectors and wavefronts of a copy by the lanes of `mask` that read something.
void CountCopy(std::byte* frame, const Step& from, const Step& to, LaneMask mask, Warp& warp) {
  const MemoryInfo& source = warp.running.program->memory[from.memory];
  const MemoryInfo& target = warp.running.program->memory[to.memory];
  LaneAddresses sources = {};
  LaneAddresses targets = {};
  ForEachLane(mask, [&](int i) {
    const auto lane = static_cast<std::size_t>(i);
    sources[lane] = AddressOf(frame, from, source.address_bytes, i);
    targets[lane] = AddressOf(frame, to, target.address_bytes, i);
  });
  const CopyCost cost =
      CostOfCopy(warp.launch->hardware->memory, {mask, sources.data(), source.bytes},
                 targets.data(), to.flip != 0);
  MemorySite& read = warp.running.sites[from.memory];
  Tally& shared = warp.running.sites[to.memory].Of(TallyOf::kShared);
  const Tally global{.requests = 1,
                     .cost = cost.sectors,
                     .ideal = cost.ideal_sectors,
                     .lanes = static_cast<U64>(std::popcount(mask))};
  warp.launch->moved += GlobalBytes(source, global);
  if (warp.launch->options->by_allocation) {
    AddSourcesByAllocation(warp, read, source, mask, sources, global);
  } else {
    read.Of(TallyOf::kGlobal) += global;
  }
  shared.cost += cost.wavefronts;
  shared.ideal += cost.ideal_wavefronts;
  // Only the shared side can be an example. If it has no conflict, no padding helps the copy.
  KeepWorst(warp.running.sites[to.memory], target, TallyOf::kShared, mask, targets,
            CostOf(warp.launch->hardware->memory, target, TallyOf::kShared, mask, targets));
}

// Returns the lanes of `mask` without those that copy the same bytes to the same place as a lower
// lane, because these make one copy together. memcpy_async of cooperative groups does this with the
// last elements, if there are fewer of them than threads.
LaneMask WithoutRepeats(const std::byte* frame, const Step& from, const Step& to, const U32* sizes,
                        LaneMask mask, const Warp& warp) {
  const U32 from_bytes = warp.running.program->memory[from.memory].address_bytes;
  const U32 to_bytes = warp.running.program->memory[to.memory].address_bytes;
  LaneMask kept = 0;
  U64 highest = 0;  // the highest address of the lanes that are kept
  ForEachLane(mask, [&](int i) {
    const U64 place = AddressOf(frame, to, to_bytes, i);
    bool repeats = false;
    if (kept != 0 && place <= highest) {
      ForEachLane(kept, [&](int j) {
        repeats = repeats ||
                  (AddressOf(frame, to, to_bytes, j) == place && sizes[i] == sizes[j] &&
                   AddressOf(frame, from, from_bytes, i) == AddressOf(frame, from, from_bytes, j));
      });
    }
    if (repeats) return;
    kept |= LaneMask{1} << i;
    highest = std::max(highest, place);
  });
  return kept;
}

// Executes cp.async. step.a, data and memory describe the destination, and program.extra[step.q]
// the source. step.b is the source's size, if fewer bytes are copied and the rest is set to zero.
// step.flip is set for a copy that bypasses the L1 cache.
void CopyAsync(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const Step& source = warp.running.program->extra[step.q];
  const U32 bytes = warp.running.program->memory[step.memory].bytes;
  const auto* wanted = Lanes<U32>(frame, step.b);
  LaneMask reading = 0;
  ForEachLane(mask, [&](int i) { reading |= LaneMask{wanted[i] != 0 ? 1U : 0U} << i; });
  LanePlaces from;
  LanePlaces to;
  LaneMask read = 0;
  // A lane reads no more than its size, so that the rest of the source may lie outside of its
  // array.
  if (reading != 0) read = Resolve(frame, source, reading, warp, from, wanted);
  const LaneMask copying = WithoutRepeats(frame, source, step, wanted, mask, warp);
  const LaneMask written = Resolve(frame, step, copying, warp, to);
  Tally& tally = warp.running.sites[step.memory].Of(TallyOf::kShared);
  ++tally.requests;
  tally.lanes += static_cast<U64>(std::popcount(mask));
  if (reading != 0) CountCopy(frame, source, step, reading, warp);
  ForEachLane(written, [&](int i) {
    const U32 size = wanted[i] < bytes ? wanted[i] : bytes;
    const bool good = size == 0 || ((read >> i) & 1U) != 0;
    if (good) {
      if (size != 0) std::memcpy(to[i], from[i], size);
      std::memset(to[i] + size, 0, bytes - size);
    } else {
      std::memset(to[i], 0xFF, bytes);
    }
  });
}

// Tells observers about groups, which have no other effect here, because copies are complete at
// once. step.flip is a CopyGroupEvent::What, step.q says whether the copies are bulk ones, and
// step.data how many groups may be unfinished.
void TellGroup(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  TellCopyGroup(warp, step, mask, static_cast<CopyGroupEvent::What>(step.flip), step.q != 0);
}
// Does the same as a commit followed by a wait for all groups.
void WaitForAllCopies(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  TellCopyGroup(warp, step, mask, CopyGroupEvent::What::kCommit, false);
  TellCopyGroup(warp, step, mask, CopyGroupEvent::What::kWait, false);
}

StepFunction DecodeGroup(Step& step, CopyGroupEvent::What what, bool bulk, U64 under_way = 0) {
  step.flip = static_cast<LaneMask>(what);
  step.q = bulk ? 1 : 0;
  step.data = under_way;
  return &TellGroup;
}

constexpr U32 kUnit = 16;  // addresses and sizes of bulk copies are multiples of this
// The cost of telling the checkers of a unit, in warp instructions.
constexpr U64 kUnitCost = 20;

// Finds the lane's unit at `address`. Returns false if the lane may not access it.
bool ResolveUnit(std::byte* frame, const Step& step, U64 address, int lane, Warp& warp,
                 LanePlaces& at) {
  Step unit = step;
  unit.data = 0;
  unit.a = step.e;
  Lanes<U64>(frame, unit.a)[lane] = address;
  return Resolve(frame, unit, LaneMask{1} << lane, warp, at) != 0;
}

void CopyUnits(std::byte* frame, const Step& from, U64 source, const Step& to, U64 destination,
               U32 bytes, int lane, Warp& warp) {
  for (U32 done = 0; done < bytes && !warp.launch->stopped; done += kUnit) {
    SpendOverhead(*warp.launch, kUnitCost);
    LanePlaces read;
    LanePlaces written;
    const bool good = ResolveUnit(frame, from, source + done, lane, warp, read);
    if (warp.launch->stopped) return;
    if (!ResolveUnit(frame, to, destination + done, lane, warp, written)) continue;
    if (good) {
      std::memcpy(written[lane], read[lane], kUnit);
    } else {
      std::memset(written[lane], 0xFF, kUnit);
    }
  }
}

// Tells the barrier whose access is `step` that bytes have arrived.
void Complete(std::byte* frame, const Step& step, int lane, U32 bytes, Warp& warp) {
  const auto change = [&](Mbarrier& barrier, int) { barrier.CompleteBytes(bytes); };
  const MbarriersDone done =
      ForEachMbarrier(frame, step, LaneMask{1} << lane, warp, change,
                      "a copy completes at an mbarrier that mbarrier.init has not initialised");
  done.Tell(step, warp, MbarrierEvent::What::kBulkCopy);
  NoteEnds(done, warp);
}

// Executes cp.async.bulk. `step` describes the destination, and program.extra[step.q] the source.
// If step.flip says that there is a barrier, the next entry of program.extra describes it. step.b
// is the number of bytes, and step.e a slot for 32 addresses.
void CopyBulk(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const Step& source = warp.running.program->extra[step.q];
  const U32* sizes = Lanes<U32>(frame, step.b);
  warp.launch->NoteUnseen("a bulk copy (cp.async.bulk)");
  Tally& tally = warp.running.sites[step.memory].Of(TallyOf::kOther);
  ++tally.requests;
  ForEachLane(mask, [&](int lane) {
    if (warp.launch->stopped) return;
    const U64 from = AddressOf(frame, source, source.flip, lane);
    const U64 to = AddressOf(frame, step, step.flip & 0xFF, lane);
    if (sizes[lane] % kUnit != 0) {
      Report(
          warp, step, FindingKind::kMisaligned, LaneMask{1} << lane,
          fmt::format("copies {} bytes in bulk, which is not a multiple of {}", sizes[lane], kUnit),
          fmt::format("copy a multiple of {} bytes, and the rest by loads and stores", kUnit));
      warp.launch->Stop(DeviceError::kMisalignedAddress);
      return;
    }
    tally.bytes += sizes[lane];
    warp.launch->moved += sizes[lane];
    CopyUnits(frame, source, from, step, to, sizes[lane], lane, warp);
    const bool completes = (step.flip >> 8) != 0 && !warp.launch->stopped;
    if (completes)
      Complete(frame, warp.running.program->extra[step.q + 1], lane, sizes[lane], warp);
  });
}

// Elects the lowest lane of those that take part, in each group.
void ElectLane(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U32* members = Lanes<U32>(frame, step.members);
  U32* d = Lanes<U32>(frame, step.d);
  LaneMask leaders = 0;
  ForEachLane(mask, [&](int lane) {
    const bool fits = CheckMembers(warp, step, mask, members, lane);
    const int leader = std::countr_zero(fits ? mask & members[lane] : mask);
    d[lane] = static_cast<U32>(leader);
    if (lane == leader) leaders |= LaneMask{1} << lane;
  });
  if (step.flip != 0) StorePredicate(frame, step.q, mask, leaders);
}

// Makes a cache policy. Caches are not modelled, so any value is right.
void MakePolicy(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  StoreLanes(Lanes<U64>(frame, step.d), mask, [](int) { return U64{0}; });
}

// Decodes a side of a bulk copy, which is accessed unit by unit. step.flip becomes the width of its
// address.
void DecodeBulkSide(Operands& operands, Step& step, std::size_t index, MemoryInfo::Kind kind,
                    ptx::Space space, AsyncCopy copy) {
  MemoryInfo& info = DecodeSide(operands, step, index, kUnit, kind, space, copy, Counting::kBulk);
  step.flip = info.address_bytes;
  info.address_bytes = sizeof(U64);  // ResolveUnit computes addresses of this width
  step.e = operands.decoder().Scratch(sizeof(U64));
}

}  // namespace

StepFunction DecodeCpAsync(Operands& operands, Step& step) {
  const auto bytes = static_cast<std::uint32_t>(operands[2].bits);
  if (bytes != 4 && bytes != 8 && bytes != 16) return nullptr;
  Program& program = operands.decoder().program();
  Step source = step;
  DecodeSide(operands, source, 1, bytes, MemoryInfo::Kind::kLoad, ptx::Space::kGlobal,
             AsyncCopy::kByLane, Counting::kCopy);
  step.q = static_cast<Slot>(program.extra.size());
  program.extra.push_back(source);
  MemoryInfo& target = DecodeSide(operands, step, 0, bytes, MemoryInfo::Kind::kStore,
                                  ptx::Space::kShared, AsyncCopy::kByLane, Counting::kCopy);
  const bool past_l1 = operands.modifiers().suffixes.Has("cg");
  target.takes_turns = !past_l1;
  step.flip = past_l1 ? 1 : 0;
  step.b = operands.Present(3) ? operands.Source(3, 4) : operands.decoder().Constant(bytes, 4);
  return CopyAsync;
}

StepFunction DecodeCpAsyncCommitGroup(Operands&, Step& step) {
  return DecodeGroup(step, CopyGroupEvent::What::kCommit, false);
}
StepFunction DecodeCpAsyncWaitGroup(Operands& operands, Step& step) {
  return DecodeGroup(step, CopyGroupEvent::What::kWait, false, operands[0].bits);
}
StepFunction DecodeCpAsyncWaitAll(Operands&, Step&) { return &WaitForAllCopies; }

StepFunction DecodeCpAsyncBulk(Operands& operands, Step& step) {
  std::vector<Step>& extra = operands.decoder().program().extra;
  const bool completes = !operands.modifiers().suffixes.Has("bulk_group");
  Step source = step;
  const AsyncCopy copy = completes ? AsyncCopy::kBulkToShared : AsyncCopy::kBulkToGlobal;
  DecodeBulkSide(operands, source, 1, MemoryInfo::Kind::kLoad, operands.modifiers().to_space, copy);
  DecodeBulkSide(operands, step, 0, MemoryInfo::Kind::kStore, operands.modifiers().space, copy);
  step.b = operands.Source(2, 4);
  step.q = static_cast<Slot>(extra.size());
  extra.push_back(source);
  if (completes) {
    step.flip |= 1U << 8;
    Step barrier;
    barrier.index = step.index;
    MemoryInfo& info = DecodeAccess(operands, barrier, 3, sizeof(U64), MemoryInfo::Kind::kAtomic);
    info.space = ptx::Space::kShared;
    info.counting = Counting::kBarrier;
    info.mbarrier = true;
    info.order = MemoryOrder::kRelease;
    info.scope = MemoryScope::kBlock;
    extra.push_back(barrier);
  }
  return &CopyBulk;
}

StepFunction DecodeCpAsyncBulkCommitGroup(Operands&, Step& step) {
  return DecodeGroup(step, CopyGroupEvent::What::kCommit, true);
}
StepFunction DecodeCpAsyncBulkWaitGroup(Operands& operands, Step& step) {
  const bool reads = operands.modifiers().suffixes.Has("read");
  return DecodeGroup(step,
                     reads ? CopyGroupEvent::What::kWaitForReads : CopyGroupEvent::What::kWait,
                     true, operands[0].bits);
}

StepFunction DecodeElect(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.flip = operands.Present(1) ? 1 : 0;
  if (step.flip != 0) step.q = operands.DestinationPredicate(1);
  step.members = operands.Source(2, 4);
  return &ElectLane;
}

StepFunction DecodeCreatepolicy(Operands& operands, Step& step) {
  step.d = operands.Destination(0, sizeof(U64));
  return &MakePolicy;
}

// Fences between memory proxies have no effect here.
StepFunction DecodeFenceProxy(Operands&, Step&) { return &Nothing; }
StepFunction DecodeFenceMbarrierInit(Operands&, Step&) { return &Nothing; }
StepFunction DecodeMembarProxy(Operands&, Step&) { return &Nothing; }
StepFunction DecodeSetmaxnreg(Operands&, Step&) { return &Nothing; }

}  // namespace warpcheck::emulator::WARPCHECK_ISA

// Copies that a unit of their own makes (PTX ISA, "cp.async.bulk"), and what goes with them:
// elect, proxies, cache policies. A copy is done when its instruction is.
#include <fmt/format.h>

#include <cstring>

#include "emulator/access/memory_access.h"
#include "emulator/code/decoder.h"
#include "emulator/code/operands.h"
#include "emulator/core/findings.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp_sync.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_mbarrier.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U32 kUnit = 16;  // bytes: what addresses and sizes of bulk copies are multiples of

// Order between the proxies of memory, and hints: nothing to do here.
void Nothing(std::byte*, const Step&, LaneMask, Warp&) {}

// step.flip: a CopyGroupEvent::What.
void TellGroup(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  TellCopyGroup(warp, step, mask, static_cast<CopyGroupEvent::What>(step.flip), true);
}

// Where the lane's unit at `address` is; null where it may not be accessed.
std::byte* ResolveUnit(std::byte* frame, const Step& step, U64 address, int lane, Warp& warp) {
  Step unit = step;
  unit.data = 0;
  unit.a = step.e;
  Lanes<U64>(frame, unit.a)[lane] = address;
  std::byte* at[kLanes];
  return Resolve(frame, unit, LaneMask{1} << lane, warp, at) != 0 ? at[lane] : nullptr;
}

void CopyUnits(std::byte* frame, const Step& from, U64 source, const Step& to, U64 destination,
               U32 bytes, int lane, Warp& warp) {
  for (U32 done = 0; done < bytes && !warp.launch->stopped; done += kUnit) {
    const std::byte* read = ResolveUnit(frame, from, source + done, lane, warp);
    if (warp.launch->stopped) return;
    std::byte* written = ResolveUnit(frame, to, destination + done, lane, warp);
    if (written == nullptr) continue;
    if (read != nullptr) {
      std::memcpy(written, read, kUnit);
    } else {
      std::memset(written, 0xFF, kUnit);
    }
  }
}

// Bytes have come to the barrier whose access is `step`.
void Complete(std::byte* frame, const Step& step, int lane, U32 bytes, Warp& warp) {
  std::byte* at[kLanes];
  if (Resolve(frame, step, LaneMask{1} << lane, warp, at) == 0) return;
  U64 bits = 0;
  std::memcpy(&bits, at[lane], sizeof bits);
  Mbarrier barrier(bits);
  if (!barrier.IsMade()) {
    Report(warp, step, FindingKind::kUninitialisedBarrier, LaneMask{1} << lane,
           "a copy completes at an mbarrier that mbarrier.init has not made");
    return;
  }
  const bool odd = barrier.odd();
  barrier.CompleteBytes(bytes);
  bits = barrier.Bits();
  std::memcpy(at[lane], &bits, sizeof bits);
  TellMbarriers(warp, step, MbarrierEvent::What::kBulkCopy, LaneMask{1} << lane, at,
                odd == barrier.odd() ? 0 : LaneMask{1} << lane);
}

// step: the destination; program.extra[step.q]: the source; the one after it: the barrier, where
// step.flip says that there is one. step.b: bytes; step.e: a slot for 32 addresses.
void CopyBulk(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const Step& source = warp.program->extra[step.q];
  const U32* sizes = Lanes<U32>(frame, step.b);
  warp.launch->NoteUnseen("a bulk copy (cp.async.bulk)");
  ForEachLane(mask, [&](int lane) {
    if (warp.launch->stopped) return;
    const U64 from = AddressOf(frame, source, source.flip, lane);
    const U64 to = AddressOf(frame, step, step.flip & 0xFF, lane);
    if (sizes[lane] % kUnit != 0) {
      Report(warp, step, FindingKind::kMisaligned, LaneMask{1} << lane,
             fmt::format("copies {} bytes in bulk, which is not a multiple of {}", sizes[lane],
                         kUnit));
      warp.launch->Stop(DeviceError::kMisalignedAddress);
      return;
    }
    CopyUnits(frame, source, from, step, to, sizes[lane], lane, warp);
    const bool completes = (step.flip >> 8) != 0 && !warp.launch->stopped;
    if (completes) Complete(frame, warp.program->extra[step.q + 1], lane, sizes[lane], warp);
  });
}

// The lowest of the lanes that take part, in each group of them.
void ElectLane(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const U32* members = Lanes<U32>(frame, step.b);
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

// A policy for caches, which are not modelled: any value does.
void MakePolicy(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  StoreLanes(Lanes<U64>(frame, step.d), mask, [](int) { return U64{0}; });
}

// An access at operand `index`, of a unit of a bulk copy. step.flip: the width of its address.
void DecodeSide(Operands& operands, Step& step, std::size_t index, MemoryInfo::Kind kind,
                ptx::Space space, AsyncCopy copy) {
  MemoryInfo& info = DecodeAccess(operands, step, index, kUnit, kind);
  info.space = space;
  info.copy = copy;
  info.counting = Counting::kNothing;
  step.flip = info.address_bytes;
  info.address_bytes = sizeof(U64);  // of the addresses that ResolveUnits makes
  step.e = operands.decoder().Scratch(sizeof(U64));
}

}  // namespace

StepFunction DecodeCpAsyncBulk(Operands& operands, Step& step) {
  std::vector<Step>& extra = operands.decoder().program().extra;
  const bool completes = !operands.modifiers().suffixes.Has("bulk_group");
  Step source = step;
  const AsyncCopy copy = completes ? AsyncCopy::kBulkToShared : AsyncCopy::kBulkToGlobal;
  DecodeSide(operands, source, 1, MemoryInfo::Kind::kLoad, operands.modifiers().to_space, copy);
  DecodeSide(operands, step, 0, MemoryInfo::Kind::kStore, operands.modifiers().space, copy);
  step.b = operands.Source(2, 4);
  step.q = static_cast<Slot>(extra.size());
  extra.push_back(source);
  if (completes) {
    step.flip |= 1U << 8;
    Step barrier;
    barrier.index = step.index;
    MemoryInfo& info = DecodeAccess(operands, barrier, 3, sizeof(U64), MemoryInfo::Kind::kAtomic);
    info.space = ptx::Space::kShared;
    info.counting = Counting::kNothing;
    info.mbarrier = true;
    info.order = MemoryOrder::kRelease;
    info.scope = MemoryScope::kBlock;
    extra.push_back(barrier);
  }
  return &CopyBulk;
}

StepFunction DecodeElect(Operands& operands, Step& step) {
  step.d = operands.Destination(0, 4);
  step.flip = operands.Present(1) ? 1 : 0;
  if (step.flip != 0) step.q = operands.DestinationPredicate(1);
  step.b = step.members = operands.Source(2, 4);
  return &ElectLane;
}

StepFunction DecodeCreatepolicy(Operands& operands, Step& step) {
  step.d = operands.Destination(0, sizeof(U64));
  return &MakePolicy;
}

StepFunction DecodeCpAsyncBulkCommitGroup(Operands&, Step& step) {
  step.flip = static_cast<LaneMask>(CopyGroupEvent::What::kCommit);
  return &TellGroup;
}
StepFunction DecodeCpAsyncBulkWaitGroup(Operands& operands, Step& step) {
  const bool reads = operands.modifiers().suffixes.Has("read");
  step.flip = static_cast<LaneMask>(reads ? CopyGroupEvent::What::kWaitForReads
                                          : CopyGroupEvent::What::kWait);
  step.data = operands[0].bits;
  return &TellGroup;
}
StepFunction DecodeCpAsyncBulkPrefetch(Operands&, Step&) { return &Nothing; }
StepFunction DecodeFenceProxy(Operands&, Step&) { return &Nothing; }
StepFunction DecodeFenceMbarrierInit(Operands&, Step&) { return &Nothing; }
StepFunction DecodeMembarProxy(Operands&, Step&) { return &Nothing; }
StepFunction DecodeSetmaxnreg(Operands&, Step&) { return &Nothing; }

}  // namespace warpcheck::emulator::WARPCHECK_ISA

// Control flow, barriers and ordering (PTX ISA, "Control Flow" and "Parallel Synchronization and
// Communication"). What ends a basic block is carried out by run.cc: here its operands are decoded.
#include <array>
#include <bit>
#include <cstring>

#include "emulator/access/memory_access.h"
#include "emulator/code/decoder.h"
#include "emulator/code/operands.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp_sync.h"
#include "emulator/counters/counter_law.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lanes.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

// Instructions without an effect here: the lanes of a warp act in order, and there are no caches.
void Nothing(std::byte*, const Step&, LaneMask, Warp&) {}

// bar.warp.sync: the members have to be here together.
void SyncWarp(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const auto* members = Lanes<std::uint32_t>(frame, step.a);
  if (!AllTakePart(members, mask, warp)) {
    ForEachLane(mask, [&](int lane) { CheckMembers(warp, step, mask, members, lane); });
  }
  if (warp.observers != nullptr) [[unlikely]]
    TellWarpSync(warp, step, mask, members, true);
}

// Memory is sequentially consistent here, so that fences matter to observers alone. step.data: the
// scope.
void Fence(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.observers == nullptr) [[likely]]
    return;
  Tell(
      *warp.observers, &Observer::OnFence,
      FenceEvent{
          .warp = warp, .step = step, .lanes = mask, .scope = static_cast<MemoryScope>(step.data)});
}

// Counts what a copy moves for the lanes of `mask`, which read something: sectors and wavefronts.
void CountCopy(std::byte* frame, const Step& from, const Step& to, LaneMask mask, Warp& warp) {
  const MemoryInfo& source = warp.program->memory[from.memory];
  const MemoryInfo& target = warp.program->memory[to.memory];
  std::array<std::uint64_t, kLanes> sources = {};
  std::array<std::uint64_t, kLanes> targets = {};
  ForEachLane(mask, [&](int i) {
    const auto lane = static_cast<std::size_t>(i);
    sources[lane] = AddressOf(frame, from, source.address_bytes, i);
    targets[lane] = AddressOf(frame, to, target.address_bytes, i);
  });
  const CopyCost cost =
      CostOfCopy(warp.launch->hardware->memory, {mask, sources.data(), source.bytes},
                 targets.data(), to.flip != 0);
  Tally& global = warp.sites[from.memory].tallies[static_cast<std::size_t>(TallyOf::kGlobal)];
  Tally& shared = warp.sites[to.memory].tallies[static_cast<std::size_t>(TallyOf::kShared)];
  global.cost += cost.sectors;
  global.ideal += cost.ideal_sectors;
  global.lanes += static_cast<std::uint64_t>(std::popcount(mask));
  shared.cost += cost.wavefronts;
  shared.ideal += cost.ideal_wavefronts;
}

// step.a, data, memory: the destination; program.extra[step.q]: the source. step.b: its size where
// less is copied and the rest is zero. step.flip: past the L1 cache.
void CopyAsync(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const Step& source = warp.program->extra[step.q];
  const std::uint32_t bytes = warp.program->memory[step.memory].bytes;
  const auto* wanted = Lanes<std::uint32_t>(frame, step.b);
  LaneMask reading = 0;
  ForEachLane(mask, [&](int i) { reading |= LaneMask{wanted[i] != 0 ? 1U : 0U} << i; });
  std::byte* from[kLanes];
  std::byte* to[kLanes];
  LaneMask read = 0;
  if (reading != 0) read = Resolve(frame, source, reading, warp, from);
  const LaneMask written = Resolve(frame, step, mask, warp, to);
  ++warp.sites[step.memory].tallies[static_cast<std::size_t>(TallyOf::kShared)].requests;
  if (reading != 0) CountCopy(frame, source, step, reading, warp);
  ForEachLane(written, [&](int i) {
    const std::uint32_t size = wanted[i] < bytes ? wanted[i] : bytes;
    const bool good = size == 0 || ((read >> i) & 1U) != 0;
    if (good) {
      if (size != 0) std::memcpy(to[i], from[i], size);
      std::memset(to[i] + size, 0, bytes - size);
    } else {
      std::memset(to[i], 0xFF, bytes);
    }
  });
}

// Copies are done when they are made, so that their groups matter to observers alone. step.data:
// how many groups may still be under way.
void CommitCopies(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  TellCopyGroup(warp, step, mask, CopyGroupEvent::What::kCommit, false);
}
void WaitForCopies(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  TellCopyGroup(warp, step, mask, CopyGroupEvent::What::kWait, false);
}
// The same as a commit and a wait for all groups.
void WaitForAllCopies(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  CommitCopies(frame, step, mask, warp);
  WaitForCopies(frame, step, mask, warp);
}

void DecodeCopySide(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                    MemoryInfo::Kind kind, ptx::Space space) {
  MemoryInfo& info = DecodeAccess(operands, step, index, bytes, kind);
  info.space = space;
  info.counting = Counting::kCopy;
  info.copy = AsyncCopy::kByLane;
}

CallInfo::Argument ArgumentOf(Operands& operands, const ptx::Operand& operand) {
  FunctionDecoder& decoder = operands.decoder();
  if (operand.kind == ptx::OperandKind::kSymbol) {
    const ParamArea area = decoder.Area(operand.symbol);
    return {.caller = area.slot, .stride = area.stride, .bytes = area.bytes};
  }
  std::uint32_t bytes = operands.RegisterBytesOf(operand);
  if (bytes == 0) bytes = 8;
  return {.caller = operands.SourceOf(operand, bytes), .stride = bytes, .bytes = bytes};
}

StepFunction DecodeAnyBarrier(Operands& operands, Step& step, bool aligned) {
  const ptx::Modifiers& modifiers = operands.modifiers();
  const bool reduces = modifiers.suffixes.Has("red");
  const std::size_t id = reduces ? 1 : 0;
  BarrierKind kind = modifiers.arrive ? BarrierKind::kArrive : BarrierKind::kSync;
  if (reduces) {
    kind = modifiers.bool_op == ptx::BoolOp::kAnd  ? BarrierKind::kAnd
           : modifiers.bool_op == ptx::BoolOp::kOr ? BarrierKind::kOr
                                                   : BarrierKind::kPopc;
    step.d =
        kind == BarrierKind::kPopc ? operands.Destination(0, 4) : operands.DestinationPredicate(0);
    step.c = operands.SourcePredicate(3, step.flip);
  }
  step.a = operands.Source(id, 4);
  const bool counted = operands.Present(id + 1);
  step.b = counted ? operands.Source(id + 1, 4) : operands.decoder().Constant(0, 4);
  step.data = static_cast<std::uint64_t>(kind);
  step.e = aligned ? 1 : 0;
  return Nothing;
}

}  // namespace

StepFunction DecodeBra(Operands& operands, Step& step) {
  step.data = operands.decoder().BlockAt(operands[0].target);
  return Nothing;
}

StepFunction DecodeBrxIdx(Operands& operands, Step& step) {
  Program& program = operands.decoder().program();
  step.a = operands.Source(0, 4);
  step.data = program.tables.size();
  std::vector<BlockId> table;
  for (const ptx::Operand& label : operands[1].elements) {
    table.push_back(operands.decoder().BlockAt(label.target));
  }
  program.tables.push_back(std::move(table));
  return Nothing;
}

StepFunction DecodeCall(Operands& operands, Step& step) {
  CallInfo call;
  call.direct = operands[1].kind == ptx::OperandKind::kFunction;
  if (call.direct) {
    call.callee = operands[1].function;
  } else {
    step.a = operands.Source(1, 8);
  }
  for (const ptx::Operand& one : operands[0].elements) {
    call.returns.push_back(ArgumentOf(operands, one));
  }
  for (const ptx::Operand& one : operands[2].elements) {
    call.arguments.push_back(ArgumentOf(operands, one));
  }
  Program& program = operands.decoder().program();
  step.data = program.calls.size();
  program.calls.push_back(std::move(call));
  return Nothing;
}

StepFunction DecodeBar(Operands& operands, Step& step) {
  return DecodeAnyBarrier(operands, step, true);
}
StepFunction DecodeBarrier(Operands& operands, Step& step) {
  return DecodeAnyBarrier(operands, step, operands.modifiers().aligned);
}

StepFunction DecodeBarWarp(Operands& operands, Step& step) {
  step.a = step.members = operands.Source(0, 4);
  return SyncWarp;
}

StepFunction DecodeCpAsync(Operands& operands, Step& step) {
  const auto bytes = static_cast<std::uint32_t>(operands[2].bits);
  if (bytes != 4 && bytes != 8 && bytes != 16) return nullptr;
  Program& program = operands.decoder().program();
  Step source = step;
  DecodeCopySide(operands, source, 1, bytes, MemoryInfo::Kind::kLoad, ptx::Space::kGlobal);
  step.q = static_cast<Slot>(program.extra.size());
  program.extra.push_back(source);
  DecodeCopySide(operands, step, 0, bytes, MemoryInfo::Kind::kStore, ptx::Space::kShared);
  step.flip = operands.modifiers().suffixes.Has("cg") ? 1 : 0;
  step.b = operands.Present(3) ? operands.Source(3, 4) : operands.decoder().Constant(bytes, 4);
  return CopyAsync;
}

StepFunction DecodeMembar(Operands& operands, Step& step) { return DecodeFence(operands, step); }
StepFunction DecodeFence(Operands& operands, Step& step) {
  step.data = static_cast<std::uint64_t>(ScopeOf(operands.modifiers().suffixes));
  return Fence;
}

StepFunction DecodeRet(Operands&, Step&) { return Nothing; }
StepFunction DecodeExit(Operands&, Step&) { return Nothing; }
StepFunction DecodeTrap(Operands&, Step&) { return Nothing; }
StepFunction DecodeBrkpt(Operands&, Step&) { return Nothing; }
StepFunction DecodeNanosleep(Operands&, Step&) { return Nothing; }
StepFunction DecodePmevent(Operands&, Step&) { return Nothing; }
StepFunction DecodeGriddepcontrol(Operands&, Step&) { return Nothing; }
StepFunction DecodePrefetch(Operands&, Step&) { return Nothing; }
StepFunction DecodePrefetchu(Operands&, Step&) { return Nothing; }
StepFunction DecodeDiscard(Operands&, Step&) { return Nothing; }
StepFunction DecodeApplypriority(Operands&, Step&) { return Nothing; }
StepFunction DecodeCpAsyncCommitGroup(Operands&, Step&) { return CommitCopies; }
StepFunction DecodeCpAsyncWaitGroup(Operands& operands, Step& step) {
  step.data = operands[0].bits;
  return WaitForCopies;
}
StepFunction DecodeCpAsyncWaitAll(Operands&, Step& step) {
  step.data = 0;
  return WaitForAllCopies;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

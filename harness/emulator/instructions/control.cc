// Executes control flow, barriers and ordering (PTX ISA, "Control Flow" and "Parallel
// Synchronization and Communication"). warps/run.cc executes the instructions that end a basic
// block; this file decodes their operands.
#include "emulator/core/observer.h"
#include "emulator/decode/access_decoder.h"
#include "emulator/decode/decoder.h"
#include "emulator/decode/operands.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lanes.h"
#include "emulator/warps/warp_sync.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

// Executes bar.warp.sync, at which the members must be together.
void SyncWarp(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const auto* members = Lanes<std::uint32_t>(frame, step.members);
  if (!AllTakePart(members, mask, warp)) {
    ForEachLane(mask, [&](int lane) { CheckMembers(warp, step, mask, members, lane); });
  }
  if (warp.observers != nullptr) [[unlikely]]
    TellWarpSync(warp, step, mask, members, true);
}

// Executes a fence, which only tells observers, because memory is sequentially consistent here.
// step.data is the scope.
void Fence(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.observers == nullptr) [[likely]]
    return;
  Tell(
      *warp.observers, &Observer::OnFence,
      FenceEvent{
          .warp = warp, .step = step, .lanes = mask, .scope = static_cast<MemoryScope>(step.data)});
}

// Executes griddepcontrol, which only tells observers, because a launch begins here after the one
// before it has ended. step.data is 1 for a wait.
void ControlGrid(std::byte*, const Step& step, LaneMask mask, Warp& warp) {
  if (warp.observers == nullptr) return;
  Tell(*warp.observers, &Observer::OnGridControl,
       GridControlEvent{.warp = warp, .step = step, .lanes = mask, .waits = step.data != 0});
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
  step.members = operands.Source(0, 4);
  return SyncWarp;
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
StepFunction DecodeGriddepcontrol(Operands& operands, Step& step) {
  step.data = operands.modifiers().suffixes.Has("wait") ? 1 : 0;
  return ControlGrid;
}
}  // namespace warpcheck::emulator::WARPCHECK_ISA

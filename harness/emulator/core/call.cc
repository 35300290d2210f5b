// Calls of device functions, direct and through addresses.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/demangle.h"
#include "base/text.h"
#include "emulator/code/taint.h"
#include "emulator/core/device_functions.h"
#include "emulator/core/findings.h"
#include "emulator/core/launch.h"
#include "emulator/memory/device_memory.h"

namespace warpcheck::emulator {
namespace {

// Recursion deeper than this, or into more local memory than a GPU thread can have, ends the
// launch.
constexpr std::size_t kMaxDepth = 1024;

// Registers of all functions that a warp is in, which are ours to keep.
constexpr std::size_t kMaxFramesBytes = std::size_t{16} << 20;

std::size_t FramesBytes(const Warp& warp) {
  std::size_t bytes = 0;
  for (const Frame& frame : warp.frames) bytes += frame.program->frame_bytes;
  return bytes;
}

void Enter(Warp& warp, const Step& step, LaneMask lanes, const CallInfo& call,
           ptx::FunctionId callee) {
  const Program* program = warp.launch->kernel->ProgramOf(callee);
  const ptx::Function& function = warp.launch->kernel->module->functions[callee];
  if (program == nullptr) {
    CallDeviceFunction(warp, step, lanes, call, function.name);
    return;
  }
  const Frame& caller = warp.frames.back();
  const std::uint32_t local = caller.local_begin + caller.program->local_bytes;
  // Few calls are so deep that their frames have to be added up.
  const bool too_large = warp.frames.size() * program->frame_bytes > kMaxFramesBytes / 2 &&
                         FramesBytes(warp) + program->frame_bytes > kMaxFramesBytes;
  if (warp.frames.size() >= kMaxDepth || too_large ||
      local + program->local_bytes > kMaxLocalBytes) {
    const bool again = std::ranges::any_of(
        warp.frames, [&](const Frame& frame) { return frame.program == program; });
    Report(warp, step, FindingKind::kStackOverflow, lanes,
           fmt::format("the thread's stack overflows: {} calls deep{} {}, with {} bytes of local "
                       "variables",
                       Grouped(warp.frames.size()), again ? " in the recursion of" : ", calling",
                       Demangle(function.name), Grouped(local + program->local_bytes)));
    warp.launch->Stop(DeviceError::kIllegalAddress);
    return;
  }
  const std::byte* from = warp.frame;
  const std::size_t depth = warp.frames.size();
  EnterFunction(warp, *program, lanes, &call);
  for (std::size_t i = 0; i < std::min(call.arguments.size(), program->parameters.size()); ++i) {
    const CallInfo::Argument& argument = call.arguments[i];
    const ParamArea& area = program->parameters[i];
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
      std::memcpy(warp.frame + area.slot + lane * area.stride,
                  from + argument.caller + lane * argument.stride,
                  std::min(argument.bytes, area.bytes));
    }
  }
  if (warp.tainted) {
    CopyTaints(warp.frames[depth - 1], call.arguments, warp.frames[depth], program->parameters,
               lanes, false);
  }
}

// Bytes a lane; registers have fewer (Area in decoder.cc).
constexpr std::uint32_t kSmallestArea = 16;

}  // namespace

void CopyTaints(const Frame& from, const std::vector<CallInfo::Argument>& arguments,
                const Frame& to, const std::vector<ParamArea>& areas, LaneMask lanes, bool back) {
  Taint* const callers = TaintsIn(from.registers, *from.program);
  Taint* const callees = TaintsIn(to.registers, *to.program);
  for (std::size_t i = 0; i < std::min(arguments.size(), areas.size()); ++i) {
    const CallInfo::Argument& argument = arguments[i];
    const bool area = argument.stride >= kSmallestArea;
    for (std::uint32_t byte = 0; byte < std::min(argument.bytes, areas[i].bytes); ++byte) {
      Taint& caller = callers[TaintOf(argument.caller) + (area ? byte : 0)];
      Taint& callee = callees[TaintOf(areas[i].slot) + byte];
      SetTaint(back ? caller : callee, back ? callee : caller, lanes);
    }
  }
}

void Call(Warp& warp, const Step& step, LaneMask lanes, const CodeBlock& block) {
  const CallInfo& call = warp.program->calls[step.data];
  if (call.direct) {
    Enter(warp, step, lanes, call, call.callee);
    return;
  }
  const auto* addresses = Lanes<std::uint64_t>(warp.frame, step.a);
  const std::uint64_t address = addresses[std::countr_zero(lanes)];
  LaneMask same = 0;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    if (addresses[std::countr_zero(rest)] == address) same |= rest & (~rest + 1);
  }
  const std::uint64_t index = (address - kCodeWindow.begin) / 16 - 1;
  const bool known =
      address > kCodeWindow.begin && address % 16 == 0 &&
      index < warp.launch->kernel->module->functions.size() &&
      (warp.launch->kernel->ProgramOf(static_cast<ptx::FunctionId>(index)) != nullptr ||
       warp.launch->kernel->module->functions[index].is_extern);
  if (!known) {
    Report(warp, step, FindingKind::kIllegalAddress, same,
           fmt::format("calls a function at {:#x}, where there is none", address));
    warp.launch->Stop(DeviceError::kIllegalAddress);
    return;
  }
  const LaneMask others = lanes & ~same;
  if (others != 0) {
    // The others come back to this call once these have returned; all meet at the next block.
    Path& path = warp.paths.back();
    const auto here = static_cast<BlockId>(&block - warp.program->blocks.data());
    path.block = block.next;
    if (path.reconverge != block.next || path.mask != others) {
      PushPath(warp, here, block.next, others);
    }
    PushPath(warp, block.next, block.next, same);
  }
  Enter(warp, step, same, call, static_cast<ptx::FunctionId>(index));
}

}  // namespace warpcheck::emulator

#include "emulator/warps/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "base/text/demangle.h"
#include "emulator/core/launch.h"
#include "emulator/memory/address_windows.h"
#include "emulator/memory/device_memory.h"
#include "emulator/record/findings.h"
#include "emulator/warps/device_functions.h"
#include "emulator/warps/frames.h"
#include "emulator/warps/paths.h"

namespace warpcheck::emulator {
namespace {

// The launch ends if calls are nested deeper than this, or need more local memory than a GPU's
// thread can have.
constexpr std::size_t kMaxDepth = 1024;
// The limit for all warps of a launch.
constexpr std::uint64_t kMaxLocalOfAll = std::uint64_t{384} << 20;

// The most bytes of registers of all functions that a warp has entered. These registers are in host
// memory.
constexpr std::size_t kMaxFramesBytes = std::size_t{16} << 20;

std::size_t FramesBytes(const Warp& warp) {
  std::size_t bytes = 0;
  for (const Frame& frame : warp.running.frames) bytes += frame.program->frame_bytes;
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
  const Frame& caller = warp.running.frames.back();
  const std::uint32_t local = caller.local_begin + caller.program->local_bytes;
  // The sum over all frames is computed only for deep calls.
  const bool too_large = warp.running.frames.size() * program->frame_bytes > kMaxFramesBytes / 2 &&
                         FramesBytes(warp) + program->frame_bytes > kMaxFramesBytes;
  const std::uint64_t of_all =
      warp.launch->local_bytes + std::uint64_t{kLanes} * program->local_bytes;
  if (warp.running.frames.size() >= kMaxDepth || too_large || of_all > kMaxLocalOfAll ||
      local + program->local_bytes > kMaxLocalBytes) {
    const bool again = std::ranges::any_of(
        warp.running.frames, [&](const Frame& frame) { return frame.program == program; });
    Report(warp, step, FindingKind::kStackOverflow, lanes,
           fmt::format("the thread's stack overflows: {} calls deep{} {}, with {} bytes of local "
                       "variables",
                       Grouped(warp.running.frames.size()),
                       again ? " in the recursion of" : ", calling", Demangle(function.name),
                       Grouped(local + program->local_bytes)));
    warp.launch->Stop(DeviceError::kIllegalAddress);
    return;
  }
  EnterFunction(warp, *program, lanes, &call);
  CopyArguments(warp, warp.running.frames[warp.running.frames.size() - 2], call.arguments,
                warp.running.frames.back(), program->parameters, lanes, false);
}

}  // namespace

void Call(Warp& warp, const Step& step, LaneMask lanes, const CodeBlock& block) {
  const CallInfo& call = warp.running.program->calls[step.data];
  if (call.direct) {
    Enter(warp, step, lanes, call, call.callee);
    return;
  }
  const auto* addresses = Lanes<std::uint64_t>(warp.running.frame, step.a);
  const std::uint64_t address = addresses[std::countr_zero(lanes)];
  const LaneMask same =
      LanesAmong(lanes, [&](std::size_t lane) { return addresses[lane] == address; });
  const auto callee = FunctionAt(address);
  const auto& functions = warp.launch->kernel->module->functions;
  const bool known =
      callee && *callee < functions.size() &&
      (warp.launch->kernel->ProgramOf(*callee) != nullptr || functions[*callee].is_extern);
  if (!known) {
    Report(warp, step, FindingKind::kIllegalAddress, same,
           fmt::format("calls a function at {:#x}, where there is no function", address));
    warp.launch->Stop(DeviceError::kIllegalAddress);
    return;
  }
  const LaneMask others = lanes & ~same;
  if (others != 0) {
    // The other lanes execute this call again after these lanes have returned. All lanes meet at
    // the next block.
    Path& path = warp.running.paths.back();
    const auto here = static_cast<BlockId>(&block - warp.running.program->blocks.data());
    path.block = block.next;
    if (path.reconverge != block.next || path.mask != others) {
      PushPath(warp, here, block.next, others);
    }
    PushPath(warp, block.next, block.next, same);
  }
  Enter(warp, step, same, call, *callee);
}

}  // namespace warpcheck::emulator

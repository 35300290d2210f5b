#include "emulator/warps/frames.h"

#include <algorithm>
#include <cstring>

#include "emulator/core/launch.h"
#include "emulator/core/observer.h"
#include "emulator/core/special_registers.h"
#include "emulator/decode/flow.h"

namespace warpcheck::emulator {
namespace {

constexpr std::byte kPoison{0xFF};

// Gives the frame at `depth` memory for its registers. This is the memory of the last function at
// this depth, unless another subwarp still uses it. Returns true if the memory is new.
bool PlaceRegisters(Warp& warp, std::size_t depth, Frame& frame) {
  constexpr std::size_t kAlignment = 64;
  if (warp.running.registers.size() <= depth) warp.running.registers.resize(depth + 1);
  RegisterStore& store = warp.running.registers[depth];
  const std::size_t bytes = frame.program->frame_bytes + TaintBytes(*frame.program) + kAlignment;
  const bool fresh = store == nullptr || store.use_count() > 1 || store->size() < bytes;
  if (fresh) store = std::make_shared<std::vector<std::byte>>(bytes);
  frame.store = store;
  const auto address = reinterpret_cast<std::uintptr_t>(store->data());
  frame.registers = store->data() + (kAlignment - address % kAlignment) % kAlignment;
  return fresh;
}

void FillLocalAddresses(const Program& program, std::byte* frame, std::uint32_t begin) {
  for (const Program::LocalAddress& local : program.local_addresses) {
    const std::uint64_t address = begin + local.offset;
    for (int lane = 0; lane < kLanes; ++lane) {
      std::memcpy(frame + local.slot + static_cast<std::size_t>(lane) * local.bytes, &address,
                  local.bytes);
    }
  }
}

// Fills `bytes` bytes of local memory with poison, starting at `begin`, for the threads of `lanes`.
// Makes local memory larger if it is too small.
void PoisonLocal(Warp& warp, LaneMask lanes, std::uint32_t begin, std::uint32_t bytes) {
  if (begin + bytes > warp.local_stride) {
    const std::uint32_t stride = begin + bytes;
    warp.launch->local_bytes += std::uint64_t{kLanes} * (stride - warp.local_stride);
    warp.launch->SpendBudget(std::uint64_t{kLanes} * stride / kBytesAnInstruction);
    std::vector<std::byte> grown(std::size_t{kLanes} * stride, kPoison);
    for (std::size_t lane = 0; lane < kLanes && warp.local_stride != 0; ++lane) {
      std::memcpy(grown.data() + lane * stride, warp.local.data() + lane * warp.local_stride,
                  warp.local_stride);
    }
    warp.local = std::move(grown);
    warp.local_stride = stride;
  }
  if (bytes == 0) return;
  EachLane(lanes, [&](std::size_t lane) {
    std::memset(warp.local.data() + lane * warp.local_stride + begin, static_cast<int>(kPoison),
                bytes);
  });
}

// Each lane has at least this many bytes in a parameter area; in a register it has fewer
// (FunctionDecoder::Area).
constexpr std::uint32_t kSmallestArea = 16;

}  // namespace

void UseFrame(Warp& warp) {
  const Frame& frame = warp.running.frames.back();
  Launch::Counts& counts = warp.launch->counts.at(frame.program);
  warp.running.program = frame.program;
  warp.running.frame = frame.registers;
  warp.running.sites = counts.sites.data();
  warp.running.stats = counts.blocks.data();
}

void EnterFunction(Warp& warp, const Program& program, LaneMask mask, const CallInfo* call) {
  const std::size_t depth = warp.running.frames.size();
  Frame frame{.program = &program, .base = warp.running.paths.size(), .call = call};
  if (depth != 0) {
    const Frame& caller = warp.running.frames.back();
    frame.local_begin = caller.local_begin + caller.program->local_bytes;
  }
  const bool fresh = PlaceRegisters(warp, depth, frame);
  const bool whole = fresh || depth != 0;
  if (whole) {
    std::ranges::copy(program.constants, frame.registers + program.constants_begin);
    FillLocalAddresses(program, frame.registers, frame.local_begin);
  }
  FillSpecials(warp, program, frame.registers, !whole);
  for (const Program::Range& range : program.read_before_written) {
    std::memset(frame.registers + range.slot, static_cast<int>(kPoison), range.bytes);
  }
  PoisonLocal(warp, mask, frame.local_begin, program.local_bytes);
  warp.launch->SpendBudget(std::uint64_t{kLanes} * program.local_bytes / kBytesAnInstruction);
  warp.running.frames.push_back(frame);
  if (warp.tracker != nullptr) warp.tracker->Enter(warp, mask);
  warp.running.paths.push_back({0, static_cast<BlockId>(program.blocks.size()), mask});
  UseFrame(warp);
}

void LeaveFunction(Warp& warp) {
  const Frame left = warp.running.frames.back();
  warp.running.frames.pop_back();
  const Frame& caller = warp.running.frames.back();
  CopyArguments(warp, caller, left.call->returns, left, left.program->returns, left.returned, true);
  UseFrame(warp);
}

void CopyArguments(const Warp& warp, const Frame& caller,
                   const std::vector<CallInfo::Argument>& arguments, const Frame& callee,
                   const std::vector<ParamArea>& areas, LaneMask lanes, bool back) {
  Taint* const callers = TaintsIn(caller.registers, *caller.program);
  Taint* const callees = TaintsIn(callee.registers, *callee.program);
  for (std::size_t i = 0; i < std::min(arguments.size(), areas.size()); ++i) {
    const CallInfo::Argument& argument = arguments[i];
    const std::uint32_t bytes = std::min(argument.bytes, areas[i].bytes);
    EachLane(lanes, [&](std::size_t lane) {
      std::byte* const outside = caller.registers + argument.caller + lane * argument.stride;
      std::byte* const inside = callee.registers + areas[i].slot + lane * areas[i].stride;
      std::memcpy(back ? outside : inside, back ? inside : outside, bytes);
    });
    const bool area = argument.stride >= kSmallestArea;
    for (std::uint32_t byte = 0; warp.tainted && byte < bytes; ++byte) {
      Taint& outside = callers[TaintOf(argument.caller) + (area ? byte : 0)];
      Taint& inside = callees[TaintOf(areas[i].slot) + byte];
      SetTaint(back ? outside : inside, back ? inside : outside, lanes);
    }
  }
}

}  // namespace warpcheck::emulator

#include "emulator/core/warp.h"

#include <algorithm>
#include <cstring>

#include "emulator/code/flow.h"
#include "emulator/core/block.h"
#include "emulator/core/findings.h"
#include "emulator/core/launch.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {
namespace {

constexpr std::byte kPoison{0xFF};

// Room for the registers of a function at `depth`: what was there before, unless lanes that went
// their own way still use it. True if it is new.
bool PlaceRegisters(Warp& warp, std::size_t depth, Frame& frame) {
  constexpr std::size_t kAlignment = 64;
  if (warp.registers.size() <= depth) warp.registers.resize(depth + 1);
  RegisterStore& store = warp.registers[depth];
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

// Makes `bytes` of local memory from `begin` on for the threads of `lanes`, and keeps the rest.
void PoisonLocal(Warp& warp, LaneMask lanes, std::uint32_t begin, std::uint32_t bytes) {
  if (begin + bytes > warp.local_stride) {
    const std::uint32_t stride = begin + bytes;
    warp.launch->local_bytes += std::uint64_t{kLanes} * (stride - warp.local_stride);
    warp.launch->Charge(std::uint64_t{kLanes} * stride / kBytesAnInstruction);
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

void LeaveFrame(Warp& warp) {
  const Frame left = warp.frames.back();
  warp.frames.pop_back();
  const Frame& caller = warp.frames.back();
  CopyArguments(warp, caller, left.call->returns, left, left.program->returns, left.returned, true);
  UseFrame(warp);
}

// The lanes of the top path meet at `block`, after those that are pushed next. Where its own lanes
// are awaited there anyway it is not needed, except at the function's end, where somebody has to
// make them leave.
void WaitAt(Warp& warp, BlockId block) {
  if (warp.paths.back().reconverge == block && block != warp.program->blocks.size()) {
    warp.paths.pop_back();
  } else {
    warp.paths.back().block = block;
  }
}

}  // namespace

void UseFrame(Warp& warp) {
  const Frame& frame = warp.frames.back();
  Launch::Counts& counts = warp.launch->counts.at(frame.program);
  warp.program = frame.program;
  warp.frame = frame.registers;
  warp.sites = counts.sites.data();
  warp.stats = counts.blocks.data();
}

void PushPath(Warp& warp, BlockId block, BlockId reconverge, LaneMask mask) {
  warp.paths.push_back({block, reconverge, mask});
}

void EnterFunction(Warp& warp, const Program& program, LaneMask mask, const CallInfo* call) {
  const std::size_t depth = warp.frames.size();
  Frame frame{.program = &program, .base = warp.paths.size(), .call = call};
  if (depth != 0) {
    const Frame& caller = warp.frames.back();
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
  warp.launch->Charge(kLanes * program.local_bytes / kBytesAnInstruction);
  warp.frames.push_back(frame);
  if (warp.tracker != nullptr) warp.tracker->Enter(warp, mask);
  PushPath(warp, 0, static_cast<BlockId>(program.blocks.size()), mask);
  UseFrame(warp);
}

bool NextPath(Warp& warp) {
  warp.paths.pop_back();
  for (;;) {
    const Frame& frame = warp.frames.back();
    if (warp.paths.size() == frame.base) {
      if (warp.frames.size() == 1) {
        warp.state = WarpState::kDone;
        return false;
      }
      LeaveFrame(warp);
      continue;
    }
    Path& path = warp.paths.back();
    path.mask &= ~(warp.exited | frame.returned);
    if (path.mask != 0) return true;
    warp.paths.pop_back();
  }
}

void Diverge(Warp& warp, LaneMask jumping, BlockId target, BlockId next, BlockId reconverge) {
  const LaneMask falling = warp.paths.back().mask & ~jumping;
  WaitAt(warp, reconverge);
  if (next != reconverge) PushPath(warp, next, reconverge, falling);
  if (target != reconverge) PushPath(warp, target, reconverge, jumping);
}

void Leave(Warp& warp, LaneMask lanes, bool exit) {
  if (exit || warp.frames.size() == 1) {
    warp.exited |= lanes;
  } else {
    warp.frames.back().returned |= lanes;
  }
  warp.paths.back().mask &= ~lanes;
}

void BranchByTable(Warp& warp, const Step& step, const CodeBlock& code, BlockStats& stats,
                   LaneMask lanes) {
  const std::vector<BlockId>& table = warp.program->tables[step.data];
  const auto* index = Lanes<std::uint32_t>(warp.frame, step.a);
  const auto target = [&](auto lane) {
    const std::uint32_t i = index[lane];
    return i < table.size() ? table[i] : code.next;
  };
  const auto bound_for = [&](BlockId to, LaneMask among) {
    return LanesAmong(among, [&](std::size_t lane) { return target(lane) == to; });
  };
  const LaneMask staying = warp.paths.back().mask & ~lanes;
  const BlockId first = target(std::countr_zero(lanes));
  if (bound_for(first, lanes) == lanes && staying == 0) {
    ++stats.uniform;
    warp.paths.back().block = first;
    return;
  }
  ++stats.divergent;
  ObserveBranch(warp, step, warp.paths.back().mask, lanes);
  WaitAt(warp, code.reconverge);
  if (staying != 0) PushPath(warp, code.next, code.reconverge, staying);
  for (LaneMask rest = lanes; rest != 0;) {
    const BlockId to = target(std::countr_zero(rest));
    const LaneMask same = bound_for(to, rest);
    if (to != code.reconverge) PushPath(warp, to, code.reconverge, same);
    rest &= ~same;
  }
}

}  // namespace warpcheck::emulator

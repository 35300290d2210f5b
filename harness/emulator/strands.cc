#include "emulator/strands.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "emulator/block.h"
#include "emulator/control_flow.h"
#include "emulator/isa.h"
#include "emulator/launch.h"

namespace warpcheck::emulator {
namespace {

// Basic blocks that a warp may execute before the others get their turn: so long that warps seldom
// alternate, and short enough that one which waits for another does not use up the budget.
constexpr std::uint64_t kQuantum = 100'000;
constexpr std::uint64_t kStrandQuantum = 1'000;  // the same for strands of a warp
// Turns in a loop that waits, by the same lanes, until lanes that wait for them go ahead.
constexpr std::uint32_t kPatience = 8;
// What a turn in such a loop takes from the budget, in warp instructions: about what a load from
// memory takes time on hardware. So a deadlock ends in seconds.
constexpr std::uint64_t kPollCost = 100;

bool Runs(const Strand& strand) {
  return strand.state == WarpState::kReady || strand.state == WarpState::kSpun;
}

// Leaves the strand only the lanes of `mask`.
void Keep(Strand& strand, LaneMask mask) {
  for (Path& path : strand.paths) path.mask &= mask;
  for (Frame& frame : strand.frames) frame.returned &= mask;
}

// Cuts off the lanes of the path on top, which spin, from those that wait for them; goes on with
// the latter. False where there are none.
bool Part(Warp& warp) {
  const LaneMask spinning = warp.paths.back().mask;
  const LaneMask others = warp.paths.front().mask & ~warp.exited & ~spinning;
  if (others == 0) return false;
  Strand rest = warp;
  Keep(rest, ~spinning);
  Strand& self = warp;
  Keep(self, spinning);
  self.registers.clear();
  self.spins = 0;
  warp.parked.push_back(std::exchange(self, std::move(rest)));
  warp.state = WarpState::kReady;
  warp.spins = 0;
  NextPath(warp);
  return true;
}

void CountSpin(Warp& warp) {
  const Path& path = warp.paths.back();
  const bool again = path.mask == warp.spin_lanes && path.block == warp.spin_block;
  warp.spins = again ? warp.spins + 1 : 1;
  warp.spin_lanes = path.mask;
  warp.spin_block = path.block;
  std::uint64_t& budget = *warp.launch->budget;
  budget -= std::min(budget, kPollCost);
}

void RunStrand(Warp& warp, std::uint64_t quantum) {
  warp.state = WarpState::kReady;
  warp.launch->isa->run(warp, quantum);
  if (warp.state != WarpState::kSpun) {
    warp.spins = 0;
    return;
  }
  CountSpin(warp);
  if (warp.spins >= kPatience) Part(warp);
}

// Forgets paths without lanes, so that stacks can be compared.
void Tidy(Strand& strand, LaneMask exited) {
  std::vector<Path> paths;
  std::size_t frame = 0;
  for (std::size_t i = 0; i < strand.paths.size(); ++i) {
    for (; frame < strand.frames.size() && strand.frames[frame].base == i; ++frame) {
      strand.frames[frame].base = paths.size();
    }
    const LaneMask gone = exited | strand.frames[frame - 1].returned;
    if ((strand.paths[i].mask & ~gone) != 0) paths.push_back(strand.paths[i]);
  }
  strand.paths = std::move(paths);
}

bool SamePlace(const Strand& a, const Strand& b) {
  if (!Runs(a) || !Runs(b) || a.resume != b.resume) return false;
  return std::ranges::equal(a.paths, b.paths,
                            [](const Path& x, const Path& y) {
                              return x.block == y.block && x.reconverge == y.reconverge;
                            }) &&
         std::ranges::equal(a.frames, b.frames, [](const Frame& x, const Frame& y) {
           return x.registers == y.registers && x.base == y.base && x.call == y.call;
         });
}

void Join(Strand& into, const Strand& other) {
  for (std::size_t i = 0; i < into.paths.size(); ++i) into.paths[i].mask |= other.paths[i].mask;
  for (std::size_t i = 0; i < into.frames.size(); ++i) {
    into.frames[i].returned |= other.frames[i].returned;
  }
  into.spins = 0;
  if (other.state == WarpState::kReady) into.state = WarpState::kReady;
}

void JoinAll(Warp& warp) {
  Tidy(warp, warp.exited);
  for (Strand& strand : warp.parked) Tidy(strand, warp.exited);
  for (std::size_t i = 0; i < warp.parked.size(); ++i) {
    Strand& into = i == 0 ? warp : warp.parked[i - 1];
    for (std::size_t k = i; k < warp.parked.size();) {
      if (SamePlace(into, warp.parked[k])) {
        Join(into, warp.parked[k]);
        warp.parked.erase(warp.parked.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        ++k;
      }
    }
  }
}

// The next strand that is not running, if there is any; the one that runs is parked, or forgotten.
void Rotate(Warp& warp, bool keep) {
  if (warp.parked.empty()) return;
  Strand& self = warp;
  Strand next = std::move(warp.parked.front());
  warp.parked.erase(warp.parked.begin());
  if (keep) warp.parked.push_back(std::move(self));
  self = std::move(next);
}

// Where an instruction that lanes execute together has its member masks: nullopt for one that all
// lanes execute.
struct Meeting {
  bool meets = false;
  bool memory_only = false;  // bar.warp.sync: lanes may meet from different places
  std::optional<Slot> members;
};

Meeting MeetingOf(const Strand& strand, const Step& step) {
  const ptx::Instruction& instruction = strand.program->function->body[step.index];
  switch (instruction.opcode) {
    case ptx::Opcode::kBarWarp:
      return {true, true, step.a};
    case ptx::Opcode::kShfl:
      return {true, false, step.e};
    case ptx::Opcode::kVote:
    case ptx::Opcode::kMatch:
    case ptx::Opcode::kRedux:
    case ptx::Opcode::kElect:
      return {true, false, step.b};
    default:
      return {instruction.modifiers.sync && instruction.modifiers.aligned &&
                  EndingOf(instruction) == Ending::kFall,
              false, std::nullopt};
  }
}

LaneMask Members(const Strand& strand, const Meeting& meeting, LaneMask lanes) {
  if (!meeting.members) return kAllLanes;
  LaneMask members = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    members |= Lanes<LaneMask>(strand.frame, *meeting.members)[std::countr_zero(lanes)];
  }
  return members;
}

const Step& StepOf(const Strand& strand) {
  const CodeBlock& code = strand.program->blocks[strand.paths.back().block];
  return strand.program->steps[code.first + strand.resume];
}

// Calls body(strand) for all strands at a warp sync, the running one included.
template <class Body>
void ForEachAtSync(Warp& warp, Body body) {
  if (warp.state == WarpState::kAtWarpSync) body(static_cast<Strand&>(warp));
  for (Strand& strand : warp.parked) {
    if (strand.state == WarpState::kAtWarpSync) body(strand);
  }
}

// Executes the sync at which `first` waits, together with those that wait at it too.
void Execute(Warp& warp, Strand& first, LaneMask members) {
  const Step& step = StepOf(first);
  const Meeting meeting = MeetingOf(first, step);
  LaneMask lanes = 0;
  ForEachAtSync(warp, [&](Strand& strand) {
    const Step& there = StepOf(strand);
    const bool same = &there == &step && strand.frame == first.frame;
    const bool meets = meeting.memory_only && MeetingOf(strand, there).memory_only &&
                       (strand.sync_lanes & members) != 0;
    if (!same && !meets) return;
    lanes |= strand.sync_lanes;
    strand.state = WarpState::kReady;
    ++strand.resume;
  });
  Strand& self = warp;
  const bool parked = &self != &first;
  if (parked) std::swap(self, first);
  warp.active = lanes;
  step.function(warp.frame, step, lanes, warp);
  if (parked) std::swap(self, first);
}

// Lets strands go on that wait for each other. With `force` also one that waits in vain: what it
// executes then makes a finding. False if there are none.
bool MeetAtSync(Warp& warp, bool force) {
  LaneMask here = 0;
  ForEachAtSync(warp, [&](const Strand& strand) { here |= strand.sync_lanes; });
  Strand* first = nullptr;
  LaneMask wanted = 0;
  ForEachAtSync(warp, [&](Strand& strand) {
    const Step& step = StepOf(strand);
    const LaneMask members = Members(strand, MeetingOf(strand, step), strand.sync_lanes);
    if (first != nullptr || (!force && (members & ~warp.exited & ~here) != 0)) return;
    first = &strand;
    wanted = members;
  });
  if (first == nullptr) return false;
  Execute(warp, *first, wanted);
  return true;
}

// With no strand left that could run: makes the first the one that has come to a barrier, with the
// lanes of all that are at the same one.
void MeetAtBarrier(Warp& warp) {
  while (warp.state != WarpState::kAtBarrier) Rotate(warp, true);
  for (Strand& strand : warp.parked) {
    if (strand.state != WarpState::kAtBarrier || strand.barrier != warp.barrier ||
        strand.frame != warp.frame) {
      continue;
    }
    strand.state = WarpState::kArrived;
    warp.barrier_lanes |= strand.barrier_lanes;
  }
}

void RunStrands(Warp& warp) {
  bool moved = false;
  for (Strand& strand : warp.parked) {
    if (strand.state == WarpState::kArrived) strand.state = WarpState::kReady;
  }
  JoinAll(warp);
  for (std::size_t turns = warp.parked.size() + 1; turns != 0; --turns) {
    if (Runs(warp)) {
      RunStrand(warp, kStrandQuantum);
      if (warp.launch->stopped) return;
      moved = moved || warp.state != WarpState::kSpun;
    }
    if (warp.state == WarpState::kDone && warp.parked.empty()) return;
    Rotate(warp, warp.state != WarpState::kDone);
  }
  while (MeetAtSync(warp, false)) moved = true;
  for (std::size_t left = warp.parked.size(); left != 0 && !Runs(warp); --left) Rotate(warp, true);
  if (!Runs(warp) && MeetAtSync(warp, true)) moved = true;
  for (std::size_t left = warp.parked.size(); left != 0 && !Runs(warp); --left) Rotate(warp, true);
  if (Runs(warp)) {
    warp.state = moved ? WarpState::kReady : WarpState::kSpun;
  } else {
    MeetAtBarrier(warp);
  }
}

}  // namespace

void RunWarp(Warp& warp) {
  if (warp.parked.empty()) {
    RunStrand(warp, kQuantum);
  } else {
    RunStrands(warp);
  }
}

bool AwaitsOthers(const Warp& warp, const Step& step, LaneMask lanes) {
  const Meeting meeting = MeetingOf(warp, step);
  if (!meeting.meets) return false;
  LaneMask others = 0;
  for (const Strand& strand : warp.parked) others |= strand.paths.front().mask;
  return (Members(warp, meeting, lanes) & others & ~warp.exited) != 0;
}

}  // namespace warpcheck::emulator

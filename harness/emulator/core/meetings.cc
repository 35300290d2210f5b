#include "emulator/core/meetings.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "emulator/code/flow.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp_sync.h"

namespace warpcheck::emulator {

namespace {

// The strands of a warp that wait for others, and what they wait for.
class Waiting {
 public:
  explicit Waiting(Warp& warp) : ended_(warp.exited | LanesAboutToEnd(warp)) {
    Add(warp);
    for (Strand& strand : warp.parked) Add(strand);
  }

  const std::vector<Meeter>& meeters() const { return meeters_; }

  // Those that `first` meets, itself included: lanes that its masks name. `any_mask`: also those
  // in another place that give other masks.
  std::vector<Meeter> GroupOf(const Meeter& first, bool any_mask) const {
    std::vector<Meeter> group{first};
    LaneMask lanes = first.lanes;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Meeter& other : meeters_) {
        const bool in_group = (other.lanes & lanes) != 0;
        const bool any = any_mask || first.IsWith(other);
        if (in_group || !MayMeet(first, other) || !Named(lanes, other, any)) continue;
        group.push_back(other);
        lanes |= other.lanes;
        grown = true;
      }
    }
    return group;
  }

  // Whether all lanes are in the group that its lanes name, with the same masks.
  bool IsComplete(const std::vector<Meeter>& group) const {
    LaneMask lanes = 0;
    for (const Meeter& meeter : group) lanes |= meeter.lanes;
    bool complete = true;
    EachLane(lanes, [&](std::size_t lane) {
      const LaneMask named = members_[lane] & ~ended_;
      complete = complete && (named & ~lanes) == 0;
      EachLane(named & lanes,
               [&](std::size_t i) { complete = complete && members_[i] == members_[lane]; });
    });
    return complete;
  }

 private:
  void Add(Strand& strand) {
    if (strand.state != WarpState::kAtWarpSync) return;
    const CodeBlock& code = strand.program->blocks[strand.paths.back().block];
    const Step& step = strand.program->steps[code.first + strand.resume];
    meeters_.push_back({&strand, &step, strand.sync_lanes});
    EachLane(strand.sync_lanes,
             [&](std::size_t lane) { members_[lane] = MembersOf(strand, step)[lane]; });
  }

  static std::array<LaneMask, kLanes> MembersOf(const Strand& strand, const Step& step) {
    std::array<LaneMask, kLanes> members;
    members.fill(kAllLanes);
    if (step.members == kAllMembers) return members;
    std::copy_n(Lanes<LaneMask>(strand.frame, step.members), kLanes, members.begin());
    return members;
  }

  static bool MayMeet(const Meeter& a, const Meeter& b) {
    if (a.IsWith(b)) return true;
    if (a.step->members == kAllMembers || b.step->members == kAllMembers) return false;
    const ptx::Instruction& x = a.strand->program->function->body[a.step->index];
    const ptx::Instruction& y = b.strand->program->function->body[b.step->index];
    return x.opcode == y.opcode && std::ranges::equal(x.modifiers.suffixes, y.modifiers.suffixes);
  }

  bool Named(LaneMask lanes, const Meeter& other, bool any_mask) const {
    bool named = false;
    EachLane(lanes, [&](std::size_t lane) {
      EachLane(members_[lane] & other.lanes,
               [&](std::size_t i) { named = named || any_mask || members_[i] == members_[lane]; });
    });
    return named;
  }

  LaneMask ended_ = 0;
  std::vector<Meeter> meeters_;
  std::array<LaneMask, kLanes> members_ = {};  // of the lanes that wait
};

}  // namespace

bool AwaitsOthers(const Warp& warp, const Step& step, LaneMask lanes) {
  LaneMask elsewhere = ~warp.paths.back().mask & ~warp.exited;
  if (step.members == kAllMembers) {
    LaneMask parked = 0;
    for (const Strand& strand : warp.parked) parked |= strand.paths.front().mask;
    return (elsewhere & parked) != 0;
  }
  const auto* members = Lanes<LaneMask>(warp.frame, step.members);
  LaneMask named = 0;
  EachLane(lanes, [&](std::size_t lane) { named |= members[lane]; });
  elsewhere &= named;
  return elsewhere != 0 && (elsewhere & ~LanesAboutToEnd(warp)) != 0;
}

bool Meet(Warp& warp, bool in_vain) {
  const Waiting waiting(warp);
  for (const Meeter& first : waiting.meeters()) {
    const std::vector<Meeter> group = waiting.GroupOf(first, !in_vain);
    if (!in_vain && !waiting.IsComplete(group)) continue;
    ExecuteTogether(warp, group);
    return true;
  }
  return false;
}

namespace {

// A register of an instruction: what each lane has in it, and where values came from.
struct Register {
  Slot slot = 0;
  std::uint32_t bytes = 0;  // 0: a predicate
  LaneMask flip = 0;        // of a predicate: it counts negated
};

struct Contents {
  std::array<std::uint64_t, kLanes> values = {};
  Taint taint;
};

// The registers of an instruction that other lanes look at, and those that it writes.
struct Shared {
  std::vector<Register> given;
  std::vector<Register> results;
};

Shared SharedBy(const Strand& strand, const Step& step) {
  const ptx::Instruction& instruction = strand.program->function->body[step.index];
  const ptx::Modifiers& modifiers = instruction.modifiers;
  Shared shared;
  shared.given.push_back({step.members, sizeof(LaneMask)});
  switch (instruction.opcode) {
    case ptx::Opcode::kShfl:
    case ptx::Opcode::kMatch:
      shared.given.push_back({step.a, ptx::Bytes(modifiers.type)});
      shared.results.push_back({step.d, 4});
      if (step.data != 0) shared.results.push_back({step.q});
      break;
    case ptx::Opcode::kVote:
      shared.given.push_back({step.a, 0, step.flip});
      shared.results.push_back({step.d, modifiers.vote == ptx::Vote::kBallot ? 4U : 0U});
      break;
    case ptx::Opcode::kRedux:
      shared.given.push_back({step.a, 4});
      shared.results.push_back({step.d, 4});
      break;
    case ptx::Opcode::kElect:
      shared.results.push_back({step.d, 4});
      if (step.flip != 0) shared.results.push_back({step.q});
      break;
    default:  // bar.warp
      break;
  }
  return shared;
}

Taint& TaintAt(const Strand& strand, const Register& reg) {
  return TaintsIn(strand.frame, *strand.program)[TaintOf(reg.slot)];
}

Contents Read(const Strand& strand, const Register& reg, bool tainted) {
  Contents contents;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (reg.bytes == 0) {
      contents.values[lane] = ((Predicate(strand.frame, reg.slot) ^ reg.flip) >> lane) & 1U;
    } else {
      std::memcpy(&contents.values[lane], strand.frame + reg.slot + lane * reg.bytes, reg.bytes);
    }
  }
  if (tainted) contents.taint = TaintAt(strand, reg);
  return contents;
}

void Write(const Strand& strand, const Register& reg, const Contents& contents, LaneMask lanes,
           bool tainted) {
  EachLane(lanes, [&](std::size_t lane) {
    if (reg.bytes == 0) {
      const LaneMask bit = LaneMask{1} << lane;
      LaneMask& to = Predicate(strand.frame, reg.slot);
      to = (to & ~bit) | (((contents.values[lane] != 0 ? bit : 0) ^ reg.flip) & bit);
    } else {
      std::memcpy(strand.frame + reg.slot + lane * reg.bytes, &contents.values[lane], reg.bytes);
    }
  });
  if (!tainted) return;
  Taint& taint = TaintAt(strand, reg);
  const LaneMask given = contents.taint.lanes & lanes;
  const LaneMask kept = taint.lanes & ~lanes;
  taint = {given | kept, given != 0 ? contents.taint.origin : taint.origin};
}

// The lanes that are at one instruction, on the same registers.
struct Place {
  Meeter first;
  LaneMask lanes = 0;
  LaneMask active = 0;  // those whose guard does not hold included
};

std::vector<Place> PlacesOf(const std::vector<Meeter>& group) {
  std::vector<Place> places;
  for (const Meeter& meeter : group) {
    auto place = std::ranges::find_if(
        places, [&](const Place& other) { return other.first.IsWith(meeter); });
    if (place == places.end()) place = places.insert(place, {.first = meeter});
    place->lanes |= meeter.lanes;
    place->active |= meeter.strand->paths.back().mask;
  }
  return places;
}

void ExecuteAt(Warp& warp, const Place& place, LaneMask lanes) {
  Strand& self = warp;
  const bool parked = &self != place.first.strand;
  if (parked) std::swap(self, *place.first.strand);
  const Step& step = *place.first.step;
  warp.active = lanes;
  if (warp.tracker != nullptr && warp.tainted) {
    warp.tracker->Follow(warp, step, place.active | lanes, lanes);
  }
  step.function(warp.frame, step, lanes, warp);
  if (parked) std::swap(self, *place.first.strand);
}

// Lends each place the registers of the lanes that are at others: it computes what its own lanes
// get from all, and everything else is put back as it was.
void ExecuteAtAll(Warp& warp, const std::vector<Place>& places, LaneMask lanes) {
  const bool tainted = warp.tracker != nullptr;  // or may be, after a shuffle
  std::vector<std::vector<Contents>> given(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Meeter& at = places[i].first;
    for (const Register& reg : SharedBy(*at.strand, *at.step).given) {
      given[i].push_back(Read(*at.strand, reg, tainted));
    }
  }
  const auto* const observers = warp.observers;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Meeter& at = places[i].first;
    const LaneMask foreign = lanes & ~places[i].lanes;
    const Shared shared = SharedBy(*at.strand, *at.step);
    std::vector<std::pair<Register, Contents>> before;
    for (const auto* registers : {&shared.given, &shared.results}) {
      for (const Register& reg : *registers) {
        before.emplace_back(reg, Read(*at.strand, reg, tainted));
      }
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      for (std::size_t r = 0; k != i && r < shared.given.size(); ++r) {
        Write(*at.strand, shared.given[r], given[k][r], places[k].lanes, tainted);
      }
    }
    ExecuteAt(warp, places[i], lanes);
    warp.observers = nullptr;  // they have seen all lanes
    for (const auto& [reg, contents] : before) Write(*at.strand, reg, contents, foreign, tainted);
  }
  warp.observers = observers;
}

}  // namespace

void ExecuteTogether(Warp& warp, const std::vector<Meeter>& group) {
  const std::vector<Place> places = PlacesOf(group);
  LaneMask lanes = 0;
  for (const Place& place : places) lanes |= place.lanes;
  if (places.size() == 1) {
    ExecuteAt(warp, places.front(), lanes);
  } else {
    ExecuteAtAll(warp, places, lanes);
  }
  for (const Meeter& meeter : group) {
    meeter.strand->state = WarpState::kReady;
    ++meeter.strand->resume;
  }
}

}  // namespace warpcheck::emulator

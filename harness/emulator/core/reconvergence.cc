#include "emulator/core/reconvergence.h"

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

// The subwarps of a warp that wait for others, and what they wait for.
class Waiting {
 public:
  explicit Waiting(Warp& warp) : ended_(warp.exited | LanesAboutToEnd(warp)) {
    Add(warp);
    for (Subwarp& subwarp : warp.parked) Add(subwarp);
  }

  const std::vector<Arrival>& arrivals() const { return arrivals_; }

  // Those that `first` meets, itself included: lanes that its masks name. `any_mask`: also those
  // in another place that give other masks.
  std::vector<Arrival> GroupOf(const Arrival& first, bool any_mask) const {
    std::vector<Arrival> group{first};
    LaneMask lanes = first.lanes;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Arrival& other : arrivals_) {
        const bool in_group = (other.lanes & lanes) != 0;
        const bool any = any_mask || first.IsWith(other);
        if (in_group || !MayReconverge(first, other) || !Named(lanes, other, any)) continue;
        group.push_back(other);
        lanes |= other.lanes;
        grown = true;
      }
    }
    return group;
  }

  // Whether all lanes are in the group that its lanes name, with the same masks.
  bool IsComplete(const std::vector<Arrival>& group) const {
    LaneMask lanes = 0;
    for (const Arrival& arrival : group) lanes |= arrival.lanes;
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
  void Add(Subwarp& subwarp) {
    if (subwarp.state != WarpState::kAtWarpSync) return;
    const CodeBlock& code = subwarp.program->blocks[subwarp.paths.back().block];
    const Step& step = subwarp.program->steps[code.first + subwarp.resume];
    arrivals_.push_back({&subwarp, &step, subwarp.sync_lanes});
    EachLane(subwarp.sync_lanes,
             [&](std::size_t lane) { members_[lane] = MembersOf(subwarp, step)[lane]; });
  }

  static std::array<LaneMask, kLanes> MembersOf(const Subwarp& subwarp, const Step& step) {
    std::array<LaneMask, kLanes> members;
    members.fill(kAllLanes);
    if (step.members == kAllMembers) return members;
    std::copy_n(Lanes<LaneMask>(subwarp.frame, step.members), kLanes, members.begin());
    return members;
  }

  static bool MayReconverge(const Arrival& a, const Arrival& b) {
    if (a.IsWith(b)) return true;
    if (a.step->members == kAllMembers || b.step->members == kAllMembers) return false;
    const ptx::Instruction& x = a.subwarp->program->function->body[a.step->index];
    const ptx::Instruction& y = b.subwarp->program->function->body[b.step->index];
    return x.opcode == y.opcode && std::ranges::equal(x.modifiers.suffixes, y.modifiers.suffixes);
  }

  bool Named(LaneMask lanes, const Arrival& other, bool any_mask) const {
    bool named = false;
    EachLane(lanes, [&](std::size_t lane) {
      EachLane(members_[lane] & other.lanes,
               [&](std::size_t i) { named = named || any_mask || members_[i] == members_[lane]; });
    });
    return named;
  }

  LaneMask ended_ = 0;
  std::vector<Arrival> arrivals_;
  std::array<LaneMask, kLanes> members_ = {};  // of the lanes that wait
};

}  // namespace

bool AwaitsOthers(const Warp& warp, const Step& step, LaneMask lanes) {
  LaneMask elsewhere = ~warp.paths.back().mask & ~warp.exited;
  if (step.members == kAllMembers) {
    LaneMask parked = 0;
    for (const Subwarp& subwarp : warp.parked) parked |= subwarp.paths.front().mask;
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
  for (const Arrival& first : waiting.arrivals()) {
    const std::vector<Arrival> group = waiting.GroupOf(first, !in_vain);
    if (!in_vain && !waiting.IsComplete(group)) continue;
    ExecuteConverged(warp, group);
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

Shared SharedBy(const Subwarp& subwarp, const Step& step) {
  const ptx::Instruction& instruction = subwarp.program->function->body[step.index];
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

Taint& TaintAt(const Subwarp& subwarp, const Register& reg) {
  return TaintsIn(subwarp.frame, *subwarp.program)[TaintOf(reg.slot)];
}

Contents Read(const Subwarp& subwarp, const Register& reg, bool tainted) {
  Contents contents;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (reg.bytes == 0) {
      contents.values[lane] = ((Predicate(subwarp.frame, reg.slot) ^ reg.flip) >> lane) & 1U;
    } else {
      std::memcpy(&contents.values[lane], subwarp.frame + reg.slot + lane * reg.bytes, reg.bytes);
    }
  }
  if (tainted) contents.taint = TaintAt(subwarp, reg);
  return contents;
}

void Write(const Subwarp& subwarp, const Register& reg, const Contents& contents, LaneMask lanes,
           bool tainted) {
  EachLane(lanes, [&](std::size_t lane) {
    if (reg.bytes == 0) {
      const LaneMask bit = LaneMask{1} << lane;
      LaneMask& to = Predicate(subwarp.frame, reg.slot);
      to = (to & ~bit) | (((contents.values[lane] != 0 ? bit : 0) ^ reg.flip) & bit);
    } else {
      std::memcpy(subwarp.frame + reg.slot + lane * reg.bytes, &contents.values[lane], reg.bytes);
    }
  });
  if (!tainted) return;
  Taint& taint = TaintAt(subwarp, reg);
  const LaneMask given = contents.taint.lanes & lanes;
  const LaneMask kept = taint.lanes & ~lanes;
  taint = {given | kept, given != 0 ? contents.taint.origin : taint.origin};
}

// The lanes that are at one instruction, on the same registers.
struct Place {
  Arrival first;
  LaneMask lanes = 0;
  LaneMask active = 0;  // those whose guard does not hold included
};

std::vector<Place> PlacesOf(const std::vector<Arrival>& group) {
  std::vector<Place> places;
  for (const Arrival& arrival : group) {
    auto place = std::ranges::find_if(
        places, [&](const Place& other) { return other.first.IsWith(arrival); });
    if (place == places.end()) place = places.insert(place, {.first = arrival});
    place->lanes |= arrival.lanes;
    place->active |= arrival.subwarp->paths.back().mask;
  }
  return places;
}

void ExecuteAt(Warp& warp, const Place& place, LaneMask lanes) {
  Subwarp& self = warp;
  const bool parked = &self != place.first.subwarp;
  if (parked) std::swap(self, *place.first.subwarp);
  const Step& step = *place.first.step;
  warp.active = lanes;
  if (warp.tracker != nullptr && warp.tainted) {
    warp.tracker->Propagate(warp, step, place.active | lanes, lanes);
  }
  step.function(warp.frame, step, lanes, warp);
  if (parked) std::swap(self, *place.first.subwarp);
}

// Lends each place the registers of the lanes that are at others: it computes what its own lanes
// get from all, and everything else is put back as it was.
void ExecuteAtAll(Warp& warp, const std::vector<Place>& places, LaneMask lanes) {
  const bool tainted = warp.tracker != nullptr;  // or may be, after a shuffle
  std::vector<std::vector<Contents>> given(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Arrival& at = places[i].first;
    for (const Register& reg : SharedBy(*at.subwarp, *at.step).given) {
      given[i].push_back(Read(*at.subwarp, reg, tainted));
    }
  }
  const auto* const observers = warp.observers;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Arrival& at = places[i].first;
    const LaneMask foreign = lanes & ~places[i].lanes;
    const Shared shared = SharedBy(*at.subwarp, *at.step);
    std::vector<std::pair<Register, Contents>> before;
    for (const auto* registers : {&shared.given, &shared.results}) {
      for (const Register& reg : *registers) {
        before.emplace_back(reg, Read(*at.subwarp, reg, tainted));
      }
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      for (std::size_t r = 0; k != i && r < shared.given.size(); ++r) {
        Write(*at.subwarp, shared.given[r], given[k][r], places[k].lanes, tainted);
      }
    }
    ExecuteAt(warp, places[i], lanes);
    warp.observers = nullptr;  // they have seen all lanes
    for (const auto& [reg, contents] : before) Write(*at.subwarp, reg, contents, foreign, tainted);
  }
  warp.observers = observers;
}

}  // namespace

void ExecuteConverged(Warp& warp, const std::vector<Arrival>& group) {
  const std::vector<Place> places = PlacesOf(group);
  LaneMask lanes = 0;
  for (const Place& place : places) lanes |= place.lanes;
  if (places.size() == 1) {
    ExecuteAt(warp, places.front(), lanes);
  } else {
    ExecuteAtAll(warp, places, lanes);
  }
  for (const Arrival& arrival : group) {
    arrival.subwarp->state = WarpState::kReady;
    ++arrival.subwarp->resume;
  }
}

}  // namespace warpcheck::emulator

// The basic idea: lanes that wait name each other in their masks, and masks make groups.
//
//     if (lane < 16) a = __shfl_sync(0xffffffff, v, 0);  // arrival 1: lanes 0 to 15, naming all
//     else           b = __shfl_sync(0xffffffff, v, 0);  // arrival 2: lanes 16 to 31, naming all
//
//     group = {one arrival}
//     while (a lane of the group names a lane of another arrival) add that arrival to the group
//     if (each lane that the group names is in it) execute the instruction for the whole group
//
// An arrival is a set of lanes that wait together at one instruction. Lanes that have exited, or
// that can do nothing but exit, need not come. If the missing lanes cannot come any more, the group
// is executed without them (`force`).
#include "emulator/warps/reconvergence.h"

#include <algorithm>
#include <array>
#include <vector>

#include "emulator/warps/converged.h"
#include "emulator/warps/warp_sync.h"

namespace warpcheck::emulator {

namespace {

// The subwarps of a warp that wait for others, and what they wait for.
class Waiting {
 public:
  explicit Waiting(Warp& warp) : ended_(warp.exited | LanesOnlyExiting(warp)) {
    Add(warp.running);
    for (Subwarp& subwarp : warp.parked) Add(subwarp);
  }

  const std::vector<Arrival>& arrivals() const { return arrivals_; }

  // Returns `first`, the arrivals of the lanes in its mask, those of the lanes in their masks, and
  // so on until nothing is added. With `any_mask`, arrivals at another instruction may have other
  // masks.
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

  // Returns true if every lane that the group names is in it, with the same mask.
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
  std::array<LaneMask, kLanes> members_ = {};  // the masks of lanes that wait
};

}  // namespace

bool AwaitsOthers(const Warp& warp, const Step& step, LaneMask lanes) {
  LaneMask elsewhere = ~warp.running.paths.back().mask & ~warp.exited;
  if (step.members == kAllMembers) {
    LaneMask parked = 0;
    for (const Subwarp& subwarp : warp.parked) parked |= subwarp.paths.front().mask;
    return (elsewhere & parked) != 0;
  }
  const auto* members = Lanes<LaneMask>(warp.running.frame, step.members);
  LaneMask named = 0;
  EachLane(lanes, [&](std::size_t lane) { named |= members[lane]; });
  elsewhere &= named;
  return elsewhere != 0 && (elsewhere & ~LanesOnlyExiting(warp)) != 0;
}

bool Reconverge(Warp& warp, bool force) {
  const Waiting waiting(warp);
  for (const Arrival& first : waiting.arrivals()) {
    const std::vector<Arrival> group = waiting.GroupOf(first, !force);
    if (!force && !waiting.IsComplete(group)) continue;
    ExecuteConverged(warp, group);
    return true;
  }
  return false;
}

}  // namespace warpcheck::emulator

#include "emulator/core/meetings.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "emulator/core/together.h"
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

}  // namespace warpcheck::emulator

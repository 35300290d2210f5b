#include "emulator/access/memory_access.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "emulator/access/access_cost.h"
#include "emulator/access/wrong_access.h"
#include "emulator/core/launch.h"
#include "emulator/core/memory_region.h"
#include "emulator/core/observer.h"
#include "emulator/record/overhead.h"

namespace warpcheck::emulator {
namespace {

using Kind = MemoryInfo::Kind;

// The cost of looking up an access that is not remembered, in warp instructions of the budget.
constexpr std::uint64_t kRegionCost = 3;
// The cost of each further region that the lanes of one access reach: it is looked up, and its
// sectors are counted apart.
constexpr std::uint64_t kFurtherRegionCost = 20;

// Returns whether an access is counted here (Counting).
bool IsCountedHere(Counting counting) {
  return counting == Counting::kAccess || counting == Counting::kMatrixRows;
}

class Access {
 public:
  Access(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, LanePlaces& at,
         const std::uint32_t* needed)
      : step_(step),
        mask_(mask),
        warp_(warp),
        launch_(*warp.launch),
        info_(warp.running.program->memory[step.memory]),
        site_(warp.running.sites[step.memory]),
        at_(at),
        needed_(needed) {
    for (int lane = 0; lane < kLanes; ++lane) {
      addresses_[static_cast<std::size_t>(lane)] =
          AddressOf(frame, step, info_.address_bytes, lane);
    }
  }

  LaneMask Run() {
    launch_.SpendBudget(kRegionCost);
    if (const LaneMask misaligned = Misaligned(); misaligned != 0) {
      ReportMisaligned(warp_, step_, info_, misaligned, addresses_);
      return 0;
    }
    LaneMask open = mask_;
    while (open != 0) {
      const int lane = std::countr_zero(open);
      const Region region = RegionOf(warp_, info_, address(lane), lane);
      LaneMask inside = LanesInside(region, open, lane);
      if (inside == 0 && NeedsNoMore(lane)) {
        inside = LaneMask{1} << lane;
        AllowFirstBytes(inside);
      } else if (inside == 0) {
        inside = ReportOutside(warp_, step_, info_, open, addresses_);
        if (!launch_.stopped) AllowFirstBytes(inside);
      } else if (region.read_only() && info_.kind != Kind::kLoad) {
        ReportReadOnly(warp_, step_, info_, inside, addresses_);
      } else {
        if (region.what == Region::What::kShared) LookAtVariable(region, inside);
        Allow(inside, region);
      }
      const TallyOf tally = TallyFor(info_, region.what);
      counted_[static_cast<std::size_t>(tally)] |= inside;
      if (tally == TallyOf::kGlobal && launch_.options->by_allocation) Share(region, inside);
      open &= ~inside;
      if (open != 0 && region.what != Region::What::kLocal) {
        SpendOverhead(launch_, kFurtherRegionCost);
      }
      if (launch_.stopped) return 0;
    }
    Observe(in_local_, local_);
    Count();
    const bool remember =
        whole_.what == Region::What::kHeap || whole_.what == Region::What::kShared;
    if (remember && !beyond_variable_) Remember(whole_);
    return good_;
  }

 private:
  std::uint64_t address(int lane) const { return addresses_[static_cast<std::size_t>(lane)]; }

  LaneMask Misaligned() const {
    const std::uint64_t bits = std::uint64_t{info_.bytes} - 1;
    LaneMask misaligned = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      misaligned |= LaneMask{(addresses_[lane] & bits) != 0 ? 1U : 0U} << lane;
    }
    return misaligned & mask_;
  }

  // Returns the lanes of `open` that access the region that was found for `lane`. A local region
  // belongs to one lane.
  LaneMask LanesInside(const Region& region, LaneMask open, int lane) const {
    if (region.what == Region::What::kNone || !region.Holds(address(lane), info_.bytes)) return 0;
    if (region.what == Region::What::kLocal) return LaneMask{1} << lane;
    LaneMask inside = 0;
    for (std::size_t i = 0; i < kLanes; ++i) {
      inside |= LaneMask{region.Holds(addresses_[i], info_.bytes) ? 1U : 0U} << i;
    }
    return inside & open;
  }

  // Returns how many bytes of the lane's access, from its first one on, lie in the memory in which
  // it begins. Sets `region` to this memory.
  std::uint32_t FirstBytes(int lane, Region& region) const {
    MemoryInfo first = info_;
    first.bytes = 1;
    region = RegionOf(warp_, first, address(lane), lane);
    if (region.what == Region::What::kNone || !region.Holds(address(lane), 1)) return 0;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(region.end - address(lane), info_.bytes));
  }

  // Returns whether the caller needs no more bytes of the lane's access than lie in its memory.
  bool NeedsNoMore(int lane) const {
    if (needed_ == nullptr || needed_[lane] >= info_.bytes) return false;
    Region region;
    return FirstBytes(lane, region) >= needed_[lane];
  }

  // Lets lanes whose access reaches past the end of its memory load, or store, the bytes that lie
  // in it. A GPU does this too.
  void AllowFirstBytes(LaneMask lanes) {
    if (info_.kind != Kind::kLoad && info_.kind != Kind::kStore) return;
    EachLane(lanes, [&](std::size_t lane) {
      Region region;
      const std::uint32_t bytes = FirstBytes(static_cast<int>(lane), region);
      if (bytes == 0 || (region.read_only() && info_.kind != Kind::kLoad)) return;
      if (launch_.LeaveToOneThread()) return;
      const LaneMask bit = LaneMask{1} << lane;
      std::byte* const host = region.host + (addresses_[lane] - region.begin);
      at_[lane] = at_.KeepFirst(static_cast<int>(lane), host, bytes, info_);
      if (info_.kind == Kind::kStore) ObserveFirst(bit, region, bytes);
      good_ |= bit;
    });
  }

  // Tells the observers that a lane stores only the first bytes of its access.
  void ObserveFirst(LaneMask lane, const Region& region, std::uint32_t bytes) {
    MemoryInfo part = info_;
    part.elements = 0;  // the observers need not know the values
    LaneAddresses addresses = addresses_;
    while (bytes != 0) {
      part.bytes = std::bit_floor(bytes);
      Observe(lane, region, part, addresses);
      for (std::uint64_t& at : addresses) at += part.bytes;
      bytes -= part.bytes;
    }
  }

  // Reports lanes whose access is in shared memory but beyond the variable of their address. The
  // access uses the bytes that lie there, as on a GPU.
  void LookAtVariable(const Region& region, LaneMask lanes) {
    LaneMask beyond = 0;
    EachLane(lanes, [&](std::size_t lane) {
      const std::uint64_t offset = addresses_[lane] - region.begin;
      if (!info_.shared.Contains({offset, offset + info_.bytes})) beyond |= LaneMask{1} << lane;
    });
    if (beyond == 0) return;
    beyond_variable_ = true;
    ReportBeyondVariable(warp_, step_, info_, beyond,
                         address(std::countr_zero(beyond)) - region.begin);
  }

  void Allow(LaneMask lanes, Region region) {
    if (lanes == mask_) whole_ = region;
    if (launch_.part != nullptr && region.what == Region::What::kHeap) {
      const bool atomic = info_.kind != Kind::kLoad && info_.kind != Kind::kStore;
      if (atomic && launch_.LeaveToOneThread()) return;
      SpeculativeView& view = launch_.part->ViewOf(region.begin);
      if (!launch_.part->by_byte() && !view.NoteUse(info_.kind == Kind::kLoad)) {
        launch_.LeaveToOneThread();
        return;
      }
      if (NotesAccesses()) {
        region.host = HostInPart(view, addresses_.data(), region.begin, lanes, info_);
      }
    }
    good_ |= lanes;
    EachLane(lanes, [&](std::size_t lane) {
      at_[lane] = region.host + (addresses_[lane] - region.begin);
    });
    if (region.what == Region::What::kLocal) {
      in_local_ |= lanes;
      local_ = region;
    } else {
      Observe(lanes, region);
    }
  }

  // Returns true if a part of a launch must note every access to global memory.
  bool NotesAccesses() const {
    return launch_.part != nullptr && (launch_.part->by_byte() || info_.kind != Kind::kLoad);
  }

  // Returns how the lanes lie relative to each other, after comparing each of them.
  AccessShape Shape(LaneMask lanes) const {
    const std::uint64_t first = address(std::countr_zero(lanes));
    bool contiguous = lanes == kAllLanes;
    bool uniform = true;
    EachLane(lanes, [&](std::size_t lane) {
      contiguous = contiguous && addresses_[lane] == first + lane * info_.bytes;
      uniform = uniform && addresses_[lane] == first;
    });
    return contiguous ? AccessShape::kContiguous
           : uniform  ? AccessShape::kUniform
                      : AccessShape::kScattered;
  }

  // Tells the observers of an access. An access to local memory, which each lane has for itself, is
  // one event.
  void Observe(LaneMask lanes, const Region& region) { Observe(lanes, region, info_, addresses_); }
  void Observe(LaneMask lanes, const Region& region, const MemoryInfo& info,
               LaneAddresses offsets) {
    if (warp_.observers == nullptr || lanes == 0) return;
    const bool global =
        region.what == Region::What::kHeap || region.what == Region::What::kConstant;
    if (!global) {
      for (std::uint64_t& offset : offsets) offset -= region.begin;
    }
    Tell(*warp_.observers, &Observer::OnAccess,
         AccessEvent{.warp = warp_,
                     .step = step_,
                     .info = info,
                     .memory = KindOf(region.what),
                     .mask = lanes,
                     .shape = Shape(lanes),
                     .addresses = offsets,
                     .extent = ExtentOf(offsets, lanes, info.bytes),
                     .begin = global ? region.begin : 0,
                     .end = global ? region.end : region.end - region.begin,
                     .host = region.what == Region::What::kLocal ? nullptr : region.host});
  }

  // Notes which lanes access the allocation.
  void Share(const Region& region, LaneMask lanes) {
    const bool known = region.what == Region::What::kHeap || region.what == Region::What::kConstant;
    const std::uint64_t begin = known ? region.begin : 0;
    for (std::size_t i = 0; i < shares_; ++i) {
      if (share_[i].begin != begin) continue;
      share_[i].lanes |= lanes;
      return;
    }
    share_[shares_++] = {.begin = begin, .lanes = lanes};
  }

  void Count() {
    if (!IsCountedHere(info_.counting)) return;
    for (std::size_t i = 0; i < kTallies; ++i) {
      const auto where = static_cast<TallyOf>(i);
      const LaneMask lanes = counted_[i];
      if (lanes == 0) continue;
      cost_ = CostOf(launch_.hardware->memory, info_, where, lanes, addresses_);
      if (where == TallyOf::kGlobal) launch_.moved += GlobalBytes(info_, cost_);
      if (where == TallyOf::kGlobal && shares_ != 0) {
        AddByAllocation(site_, launch_.hardware->memory, info_, {share_.data(), shares_},
                        addresses_, cost_);
      } else {
        site_.Of(where) += cost_;
      }
      KeepWorst(site_, info_, where, lanes, addresses_, cost_);
    }
  }

  // Returns the counts of accesses that lie in this allocation alone.
  Tally* GlobalTally(const Region& region) {
    return &site_.GlobalTally(region.begin, launch_.options->by_allocation);
  }

  CachedAccess::Run RunOf(std::size_t run) const {
    const std::uint64_t* delta = site_.last.delta.data() + run * 8;
    bool contiguous = true;
    bool uniform = true;
    for (std::size_t i = 0; i < 8; ++i) {
      contiguous = contiguous && delta[i] == delta[0] + i * info_.bytes;
      uniform = uniform && delta[i] == delta[0];
    }
    return contiguous ? CachedAccess::Run::kContiguous
           : uniform  ? CachedAccess::Run::kUniform
                      : CachedAccess::Run::kScattered;
  }

  void Remember(const Region& region) {
    CachedAccess& last = site_.last;
    if (last.mask != mask_ && last.mask != 0) site_.earlier = last;
    const LaneMask remembered = std::exchange(last.mask, 0);
    if (info_.kind != Kind::kLoad && info_.kind != Kind::kStore) return;
    const std::uint64_t base = address(std::countr_zero(mask_));
    const bool shared = region.what == Region::What::kShared;
    Tally* const shared_tally = &site_.tallies[static_cast<std::size_t>(TallyOf::kShared)];
    Tally* const tally = shared ? shared_tally : GlobalTally(region);
    std::uint64_t lowest = base;
    std::uint64_t highest = base;
    bool same = remembered == mask_ && (last.tally == shared_tally) == shared;
    last.tally = tally;
    last.moved = shared ? &site_.moved_elsewhere : &launch_.moved;
    if (shared && !std::exchange(site_.is_of_shared, true)) {
      launch_.sites_of_shared.push_back(&site_);
    }
    EachLane(mask_, [&](std::size_t lane) {
      lowest = std::min(lowest, addresses_[lane]);
      highest = std::max(highest, addresses_[lane]);
      const std::uint64_t delta = addresses_[lane] - base;
      same = same && last.delta[lane] == delta;
      last.delta[lane] = delta;
      last.delta32[lane] = static_cast<std::uint32_t>(delta);
    });
    if (!same) {
      const MemoryGeometry& geometry = launch_.hardware->memory;
      last.phase_mask = (shared ? geometry.shared_bank_bytes : geometry.sector_bytes) - 1;
      last.cost.fill(0);
      last.pattern = ++launch_.patterns;
      const AccessShape shape = Shape(mask_);
      last.contiguous = shape == AccessShape::kContiguous;
      last.uniform = shape == AccessShape::kUniform;
      for (std::size_t run = 0; run < last.runs.size(); ++run) last.runs[run] = RunOf(run);
      last.before = last.below = base - lowest;
      last.after = last.above = highest - base + info_.bytes;
      if (shared) {
        last.below += info_.shared.begin;
        const std::uint64_t bytes = region.end - region.begin;
        last.above += bytes - std::min(bytes, info_.shared.end);
      }
    }
    const auto phase = static_cast<std::size_t>(base & last.phase_mask);
    last.cost[phase] = static_cast<std::uint16_t>(cost_.cost);
    last.ideal[phase] = static_cast<std::uint16_t>(cost_.ideal);
    last.begin = region.begin;
    last.end = region.end;
    last.host = region.host;
    last.view = !shared && NotesAccesses() ? &launch_.part->ViewOf(region.begin) : nullptr;
    last.tell = last.view != nullptr || warp_.observers != nullptr;
    last.mask = mask_;
  }

  const Step& step_;
  const LaneMask mask_;
  Warp& warp_;
  Launch& launch_;
  const MemoryInfo& info_;
  MemorySite& site_;
  LanePlaces& at_;
  const std::uint32_t* const needed_;  // the bytes that each lane needs; null for all
  LaneAddresses addresses_;
  LaneMask good_ = 0;
  Region whole_;  // the region of all lanes, if they have only one
  bool beyond_variable_ = false;
  LaneMask in_local_ = 0;
  Region local_;                                 // the region of the last of those lanes
  std::array<LaneMask, kTallies> counted_ = {};  // by TallyOf
  std::array<LanesOfAllocation, kLanes> share_;  // the first `shares_` are set
  std::size_t shares_ = 0;
  Tally cost_;  // the cost that was counted last
};

// Calls body(offset, bytes) for ranges that together cover the lanes of `mask`, where lane i is at
// base + delta[i]. Lanes that follow each other, or have the same address, share a range.
template <class Body>
void EachStretch(std::uint64_t base, const std::uint64_t* delta, LaneMask mask, std::uint32_t bytes,
                 Body body) {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  for (LaneMask left = mask; left != 0; left &= left - 1) {
    const std::uint64_t at = base + delta[std::countr_zero(left)];
    if (at == end || (at + bytes == end && end != 0)) {
      end = at + bytes;
      continue;
    }
    if (end != begin) body(begin, end - begin);
    begin = at;
    end = at + bytes;
  }
  body(begin, end - begin);
}

// Does the same faster, because the access remembers how its lanes lie.
template <class Body>
void EachStretch(const CachedAccess& access, std::uint64_t offset, LaneMask mask,
                 std::uint32_t bytes, Body body) {
  if (access.contiguous) return body(offset, std::uint64_t{bytes} * kLanes);
  if (access.uniform) return body(offset, bytes);
  if (mask != kAllLanes) return EachStretch(offset, access.delta.data(), mask, bytes, body);
  for (std::size_t run = 0; run < access.runs.size(); ++run) {
    const std::uint64_t* delta = access.delta.data() + run * 8;
    switch (access.runs[run]) {
      case CachedAccess::Run::kContiguous:
        body(offset + delta[0], std::uint64_t{bytes} * 8);
        break;
      case CachedAccess::Run::kUniform:
        body(offset + delta[0], bytes);
        break;
      case CachedAccess::Run::kScattered:
        EachStretch(offset, delta, LaneMask{0xFF}, bytes, body);
        break;
    }
  }
}

template <class Stretches>
std::byte* Note(SpeculativeView& view, const MemoryInfo& info, Stretches stretches) {
  return info.kind == MemoryInfo::Kind::kLoad ? view.ForLoad(stretches) : view.ForStore(stretches);
}

}  // namespace

LanePlaces::FirstParts::~FirstParts() {
  if (!stores) return;
  for (const FirstPart& part : parts) {
    if (part.bytes != 0) std::memcpy(part.host, part.copy.data(), part.bytes);
  }
}

std::byte* LanePlaces::KeepFirst(int lane, std::byte* host, std::uint32_t bytes,
                                 const MemoryInfo& info) {
  if (first_parts_ == nullptr) first_parts_ = std::make_unique<FirstParts>();
  first_parts_->stores = info.kind == MemoryInfo::Kind::kStore;
  FirstPart& part = first_parts_->parts[static_cast<std::size_t>(lane)];
  WARPCHECK_CHECK(info.bytes <= part.copy.size(), "a lane accesses more bytes than PTX allows");
  part.host = host;
  part.bytes = bytes;
  part.copy.fill(std::byte{0xFF});
  std::memcpy(part.copy.data(), host, bytes);
  return part.copy.data();
}

LaneMask Resolve(std::byte* frame, const Step& step, LaneMask mask, Warp& warp, LanePlaces& at,
                 const std::uint32_t* needed) {
  return Access(frame, step, mask, warp, at, needed).Run();
}

std::byte* HostInPart(const CachedAccess& access, std::uint64_t offset, LaneMask mask,
                      const MemoryInfo& info) {
  return Note(*access.view, info,
              [&](auto body) { EachStretch(access, offset, mask, info.bytes, body); });
}

std::byte* HostInPart(SpeculativeView& view, const std::uint64_t* addresses, std::uint64_t begin,
                      LaneMask mask, const MemoryInfo& info) {
  return Note(view, info,
              [&](auto body) { EachStretch(0 - begin, addresses, mask, info.bytes, body); });
}

}  // namespace warpcheck::emulator

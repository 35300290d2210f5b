#include "emulator/record/memory_uses.h"

#include <algorithm>
#include <bit>

#include "emulator/code/memory_info.h"
#include "emulator/core/warp.h"

namespace warpcheck::emulator {
namespace {

constexpr std::uint64_t kBits = 64;
constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
// The marks of more allocations are thrown away after a launch.
constexpr std::size_t kMostAllocations = 256;
// The ranges that a launch tells of each kind in an allocation, and in all.
constexpr std::size_t kMostOfAnAllocation = std::size_t{1} << 19;
constexpr std::size_t kMostRanges = std::size_t{1} << 20;

bool IsOfSystem(const MemoryInfo& info) {
  return info.order == MemoryOrder::kVolatile || info.scope == MemoryScope::kSystem;
}

bool Releases(const MemoryInfo& info) {
  return info.scope == MemoryScope::kSystem &&
         IsOneOf(info.order, MemoryOrder::kRelease, MemoryOrder::kAcquireRelease);
}

}  // namespace

void MemoryUses::Bits::Widen(std::uint64_t first, std::uint64_t last) {
  low = high == 0 ? first : std::min(low, first);
  high = std::max(high, last + 1);
}

void MemoryUses::Bits::Set(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = offset + bytes - 1;
  const std::uint64_t first = offset / kBits;
  const std::uint64_t last = end / kBits;
  const std::uint64_t head = kAllBits << offset % kBits;
  const std::uint64_t tail = kAllBits >> (kBits - 1 - end % kBits);
  if (first == last) [[likely]] {
    words[first] |= head & tail;
    return;
  }
  words[first] |= head;
  for (std::uint64_t i = first + 1; i < last; ++i) words[i] = kAllBits;
  words[last] |= tail;
}

void MemoryUses::Bits::Clear() {
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(low),
            words.begin() + static_cast<std::ptrdiff_t>(high), 0);
  low = high = 0;
}

MemoryUses::Bits& MemoryUses::BitsOf(MemoryUse::Kind kind, bool after_wait, DeviceAddress begin,
                                     std::uint64_t bytes) {
  Marks*& recent = recent_[(begin >> 24) % recent_.size()];
  if (recent == nullptr || recent->begin != begin || recent->bytes != bytes) {
    recent = &allocations_[begin];
    if (recent->bytes != bytes)
      *recent = {.begin = begin, .bytes = bytes, .kinds = {}, .after_wait = {}};
  }
  auto& kinds = after_wait ? recent->after_wait : recent->kinds;
  Bits& bits = kinds[static_cast<std::size_t>(kind)];
  if (bits.words.empty()) bits.words.resize(bytes / kBits + 1);
  return bits;
}

void MemoryUses::Bits::Include(const Bits& other) {
  if (other.high == 0) return;
  if (words.empty()) words.resize(other.words.size());
  Widen(other.low, other.high - 1);
  for (std::uint64_t i = other.low; i < other.high; ++i) words[i] |= other.words[i];
}

void MemoryUses::Bits::Remove(const Bits& other) {
  const std::uint64_t last = std::min(high, other.high);
  for (std::uint64_t i = std::max(low, other.low); i < last; ++i) words[i] &= ~other.words[i];
}

bool MemoryUses::HasAny(const LanesOfWarps& lanes, const Block& block) {
  const auto found = lanes.lower_bound({&block, 0});
  return found != lanes.end() && found->first.first == &block;
}

void MemoryUses::OnBlockBegin(Block& block) {
  for (LanesOfWarps* const lanes : {&fenced_, &waited_}) {
    if (lanes->empty()) continue;
    std::erase_if(*lanes, [&](const auto& entry) { return entry.first.first == &block; });
  }
}

// A block that never lets the next kernel begin does so at its end.
void MemoryUses::OnBlockEnd(Block& block) {
  if (waited_.empty() && let_begin_.empty()) return;
  const bool early = let_begin_.erase(&block) != 0;
  if (!early && HasAny(waited_, block)) dependents_wait_ = true;
}

LaneMask MemoryUses::WaitedOf(const Warp& warp) const {
  if (waited_.empty()) return 0;
  const auto found = waited_.find({warp.block, warp.index});
  return found == waited_.end() ? 0 : found->second;
}

void MemoryUses::OnGridControl(const GridControlEvent& event) {
  if (event.waits) {
    waits_ = true;
    waited_[{event.warp.block, event.warp.index}] |= event.lanes;
  } else if (!let_begin_.contains(event.warp.block)) {
    // Only the first thread of a block counts. If it has waited, the block counts as one that has.
    if ((event.lanes & ~WaitedOf(event.warp)) != 0) {
      let_begin_.insert(event.warp.block);
    } else {
      dependents_wait_ = true;
    }
  }
}

void MemoryUses::OnBarrier(const BarrierEvent& event) {
  if (waited_.empty()) return;
  const auto each = [](std::uint32_t warps, auto body) {
    for (; warps != 0; warps &= warps - 1) {
      body(static_cast<std::uint32_t>(std::countr_zero(warps)));
    }
  };
  bool any = false;
  each(event.waited | event.arrived, [&](std::uint32_t warp) {
    const auto found = waited_.find({&event.block, warp});
    any = any || (found != waited_.end() && found->second != 0);
  });
  if (!any) return;
  each(event.waited, [&](std::uint32_t warp) { waited_[{&event.block, warp}] = kAllLanes; });
}

void MemoryUses::OnWarpSync(const WarpSyncEvent& event) {
  if ((WaitedOf(event.warp) & event.lanes) == 0 || !event.orders_memory) return;
  waited_[{event.warp.block, event.warp.index}] |= event.lanes;
}

// This class does not know which threads have arrived at the mbarrier.
void MemoryUses::OnMbarrier(const MbarrierEvent& event) {
  if (waited_.empty() || event.what != MbarrierEvent::What::kSawItsEnd) return;
  if (!HasAny(waited_, *event.warp.block)) return;
  waited_[{event.warp.block, event.warp.index}] |= event.lanes;
}

void MemoryUses::OnFence(const FenceEvent& event) {
  if (event.scope != MemoryScope::kSystem) return;
  any_fence_ = true;
  fenced_[{event.warp.block, event.warp.index}] |= event.lanes;
}

MemoryUse::Kind MemoryUses::KindOf(const AccessEvent& event) const {
  const MemoryInfo& info = event.info;
  const bool loads = info.kind == MemoryInfo::Kind::kLoad;
  const bool plain = loads || info.kind == MemoryInfo::Kind::kStore;
  if (plain && info.order == MemoryOrder::kWeak) {
    if (loads) return MemoryUse::Kind::kRead;
    if (fenced_.empty() || std::popcount(event.mask) != 1) return MemoryUse::Kind::kWrite;
    const auto found = fenced_.find({event.warp.block, event.warp.index});
    const bool flag = found != fenced_.end() && (event.mask & ~found->second) == 0;
    return flag ? MemoryUse::Kind::kRelease : MemoryUse::Kind::kWrite;
  }
  const bool fenced = HasAny(fenced_, *event.warp.block);
  if (!loads && (fenced || Releases(info))) return MemoryUse::Kind::kRelease;
  return IsOfSystem(info) ? MemoryUse::Kind::kSignal : MemoryUse::Kind::kAtomic;
}

void MemoryUses::OnAccess(const AccessEvent& event) {
  if (event.memory != MemoryKind::kGlobal && event.memory != MemoryKind::kConstant) return;
  const LaneMask waited = WaitedOf(event.warp);
  if ((event.mask & ~waited) != 0) Note(event, event.mask & ~waited, false);
  if ((event.mask & waited) != 0) Note(event, event.mask & waited, true);
}

void MemoryUses::Note(const AccessEvent& event, LaneMask lanes, bool after_wait) {
  Bits& bits = BitsOf(KindOf(event), after_wait, event.begin, event.end - event.begin);
  bits.Widen((event.extent.begin - event.begin) / kBits,
             (event.extent.end - 1 - event.begin) / kBits);
  if (event.shape != AccessShape::kScattered && lanes == event.mask) {
    bits.Set(event.extent.begin - event.begin, event.extent.end - event.extent.begin);
    return;
  }
  // Lanes that lie next to each other are one stretch.
  const std::uint64_t bytes = event.info.bytes;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  EachLane(lanes, [&](std::size_t lane) {
    const std::uint64_t at = event.addresses[lane] - event.begin;
    if (at != end) {
      if (begin != end) bits.Set(begin, end - begin);
      begin = at;
    }
    end = at + bytes;
  });
  if (begin != end) bits.Set(begin, end - begin);
}

void MemoryUses::AddRanges(std::vector<MemoryUse>& uses, const Marks& marks, MemoryUse::Kind kind) {
  const Bits& bits = marks.kinds[static_cast<std::size_t>(kind)];
  const std::size_t most = std::min(uses.size() + kMostOfAnAllocation, kMostRanges);
  std::uint64_t begin = 0;
  bool inside = false;
  // The atomics of a kernel with a fence of system scope may tell the host how far it is.
  const MemoryUse::Kind told =
      any_fence_ && kind == MemoryUse::Kind::kAtomic ? MemoryUse::Kind::kSignal : kind;
  // Ends a range at `end`, the first byte that is not used.
  const auto close = [&](std::uint64_t end) {
    if (inside) uses.push_back({told, marks.begin + begin, marks.begin + end});
    inside = false;
  };
  for (std::uint64_t i = bits.low; i < bits.high && uses.size() < most; ++i) {
    std::uint64_t word = bits.words[i];
    if (word == (inside ? kAllBits : 0)) continue;
    for (std::uint64_t at = 0; at < kBits && uses.size() < most;) {
      const auto same = static_cast<std::uint64_t>(inside ? std::countr_one(word >> at)
                                                          : std::countr_zero(word >> at));
      at += same;
      if (at >= kBits) break;
      if (inside) {
        close(i * kBits + at);
      } else {
        begin = i * kBits + at;
        inside = true;
      }
    }
  }
  if (uses.size() < most) {
    close(bits.high * kBits);
  } else {
    complete_ = false;
  }
}

std::vector<MemoryUse> MemoryUses::Ranges() {
  std::vector<MemoryUse> uses;
  for (auto& [begin, marks] : allocations_) {
    // A byte by which the kernel gives signals is a flag, however else the kernel writes it.
    for (const auto signal : {MemoryUse::Kind::kSignal, MemoryUse::Kind::kRelease}) {
      for (const auto other : {MemoryUse::Kind::kWrite, MemoryUse::Kind::kAtomic}) {
        marks.kinds[static_cast<std::size_t>(other)].Remove(
            marks.kinds[static_cast<std::size_t>(signal)]);
      }
    }
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      AddRanges(uses, marks, static_cast<MemoryUse::Kind>(kind));
    }
  }
  return uses;
}

LaunchUses MemoryUses::Take() {
  LaunchUses taken{.waits = waits_, .dependents_wait = dependents_wait_};
  if (waits_) {
    taken.before_wait = Ranges();
    for (auto& [begin, marks] : allocations_) {
      for (std::size_t kind = 0; kind < kKinds; ++kind) {
        marks.kinds[kind].Include(marks.after_wait[kind]);
      }
    }
  }
  taken.uses = Ranges();
  taken.complete = complete_;
  Clear();
  return taken;
}

void MemoryUses::Add(const MemoryUses& other) {
  any_fence_ = any_fence_ || other.any_fence_;
  waits_ = waits_ || other.waits_;
  dependents_wait_ = dependents_wait_ || other.dependents_wait_;
  for (const auto& [begin, marks] : other.allocations_) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      for (const bool after_wait : {false, true}) {
        const Bits& more = (after_wait ? marks.after_wait : marks.kinds)[kind];
        if (more.high == 0) continue;
        BitsOf(static_cast<MemoryUse::Kind>(kind), after_wait, begin, marks.bytes).Include(more);
      }
    }
  }
}

void MemoryUses::Clear() {
  fenced_.clear();
  waited_.clear();
  let_begin_.clear();
  any_fence_ = waits_ = dependents_wait_ = false;
  complete_ = true;
  for (auto& [begin, marks] : allocations_) {
    for (Bits& bits : marks.kinds) bits.Clear();
    for (Bits& bits : marks.after_wait) bits.Clear();
  }
  if (allocations_.size() > kMostAllocations) {
    allocations_.clear();
    recent_ = {};
  }
}

}  // namespace warpcheck::emulator

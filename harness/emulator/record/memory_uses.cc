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
// The ranges that a launch tells in all.
constexpr std::size_t kMostRanges = std::size_t{1} << 17;

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

MemoryUses::Bits& MemoryUses::BitsOf(MemoryUse::Kind kind, DeviceAddress begin,
                                     std::uint64_t bytes) {
  Marks*& recent = recent_[(begin >> 24) % recent_.size()];
  if (recent == nullptr || recent->begin != begin || recent->bytes != bytes) {
    recent = &allocations_[begin];
    if (recent->bytes != bytes) *recent = {.begin = begin, .bytes = bytes, .kinds = {}};
  }
  Bits& bits = recent->kinds[static_cast<std::size_t>(kind)];
  if (bits.words.empty()) bits.words.resize(bytes / kBits + 1);
  return bits;
}

void MemoryUses::Bits::Remove(const Bits& other) {
  const std::uint64_t last = std::min(high, other.high);
  for (std::uint64_t i = std::max(low, other.low); i < last; ++i) words[i] &= ~other.words[i];
}

void MemoryUses::OnBlockBegin(Block& block) {
  if (fenced_.empty()) return;
  std::erase_if(fenced_, [&](const auto& entry) { return entry.first.first == &block; });
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
  const auto of_block = fenced_.lower_bound({event.warp.block, 0});
  const bool fenced = of_block != fenced_.end() && of_block->first.first == event.warp.block;
  if (!loads && (fenced || Releases(info))) return MemoryUse::Kind::kRelease;
  return IsOfSystem(info) ? MemoryUse::Kind::kSignal : MemoryUse::Kind::kAtomic;
}

void MemoryUses::OnAccess(const AccessEvent& event) {
  if (event.memory != MemoryKind::kGlobal && event.memory != MemoryKind::kConstant) return;
  Bits& bits = BitsOf(KindOf(event), event.begin, event.end - event.begin);
  bits.Widen((event.extent.begin - event.begin) / kBits,
             (event.extent.end - 1 - event.begin) / kBits);
  if (event.shape != AccessShape::kScattered) {
    bits.Set(event.extent.begin - event.begin, event.extent.end - event.extent.begin);
    return;
  }
  // Lanes that lie next to each other are one stretch.
  const std::uint64_t bytes = event.info.bytes;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  EachLane(event.mask, [&](std::size_t lane) {
    const std::uint64_t at = event.addresses[lane] - event.begin;
    if (at != end) {
      if (begin != end) bits.Set(begin, end - begin);
      begin = at;
    }
    end = at + bytes;
  });
  if (begin != end) bits.Set(begin, end - begin);
}

void MemoryUses::AddRanges(std::vector<MemoryUse>& uses, const Marks& marks,
                           MemoryUse::Kind kind) const {
  const Bits& bits = marks.kinds[static_cast<std::size_t>(kind)];
  const std::size_t most = std::min(uses.size() + kMostUses, kMostRanges);
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
  if (uses.size() < most) close(bits.high * kBits);
}

std::vector<MemoryUse> MemoryUses::Take() {
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
  Clear();
  return uses;
}

void MemoryUses::Add(const MemoryUses& other) {
  any_fence_ = any_fence_ || other.any_fence_;
  for (const auto& [begin, marks] : other.allocations_) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      const Bits& more = marks.kinds[kind];
      if (more.high == 0) continue;
      Bits& bits = BitsOf(static_cast<MemoryUse::Kind>(kind), begin, marks.bytes);
      bits.Widen(more.low, more.high - 1);
      for (std::uint64_t i = more.low; i < more.high; ++i) bits.words[i] |= more.words[i];
    }
  }
}

void MemoryUses::Clear() {
  fenced_.clear();
  any_fence_ = false;
  for (auto& [begin, marks] : allocations_) {
    for (Bits& bits : marks.kinds) bits.Clear();
  }
  if (allocations_.size() > kMostAllocations) {
    allocations_.clear();
    recent_ = {};
  }
}

}  // namespace warpcheck::emulator

#include "order/access_map.h"

#include <algorithm>

namespace warpcheck::order {

void AccessMap::Compare(DeviceAddress begin, DeviceAddress end, const Segment& segment,
                        MemoryUse::Kind kind, const Covers& covers, const OnConflict& on_conflict) {
  const auto compare = [&](const Access& access) {
    if (!covers(access.moment)) on_conflict({access, begin, end});
  };
  if (segment.written) compare(segment.writer);
  if (kind != MemoryUse::Kind::kRead) std::ranges::for_each(segment.readers, compare);
  if (!IsAtomic(kind)) std::ranges::for_each(segment.atomics, compare);
}

void AccessMap::Cut(DeviceAddress at) {
  auto after = segments_.upper_bound(at);
  if (after == segments_.begin()) return;
  auto& [begin, segment] = *std::prev(after);
  if (begin == at || segment.end <= at) return;
  Segment rest = segment;
  segment.end = at;
  segments_.emplace_hint(after, at, std::move(rest));
}

// Whoever is ordered after the new access is also ordered after those that the new one follows.
void AccessMap::Put(std::vector<Access>& list, const Access& access, const Covers& covers) {
  std::erase_if(list, [&](const Access& one) {
    return one.moment.line == access.moment.line || covers(one.moment);
  });
  list.push_back(access);
}

void AccessMap::Add(const MemoryUse& use, Access access, const Covers& covers,
                    const OnConflict& on_conflict) {
  if (use.begin >= use.end) return;
  access.kind = use.kind;
  Cut(use.begin);
  Cut(use.end);
  auto at = segments_.lower_bound(use.begin);
  if (use.kind == MemoryUse::Kind::kWrite) {
    while (at != segments_.end() && at->first < use.end) {
      Compare(at->first, at->second.end, at->second, use.kind, covers, on_conflict);
      at = segments_.erase(at);
    }
    segments_.emplace_hint(
        at, use.begin,
        Segment{.end = use.end, .written = true, .writer = access, .readers = {}, .atomics = {}});
    return;
  }
  const auto add = [&](Segment& segment) {
    Put(use.kind == MemoryUse::Kind::kRead ? segment.readers : segment.atomics, access, covers);
  };
  for (DeviceAddress begin = use.begin; begin < use.end;) {
    if (at == segments_.end() || at->first > begin) {  // nobody has used these bytes before
      const DeviceAddress end = at == segments_.end() ? use.end : std::min(at->first, use.end);
      at = segments_.emplace_hint(at, begin,
                                  Segment{.end = end, .writer = {}, .readers = {}, .atomics = {}});
    } else {
      Compare(at->first, at->second.end, at->second, use.kind, covers, on_conflict);
    }
    add(at->second);
    begin = at->second.end;
    ++at;
  }
}

void AccessMap::FindConflicts(const MemoryUse& use, const Covers& covers,
                              const OnConflict& on_conflict) const {
  auto at = segments_.upper_bound(use.begin);
  if (at != segments_.begin()) --at;
  for (; at != segments_.end() && at->first < use.end; ++at) {
    const DeviceAddress begin = std::max(at->first, use.begin);
    const DeviceAddress end = std::min(at->second.end, use.end);
    if (begin < end) Compare(begin, end, at->second, use.kind, covers, on_conflict);
  }
}

void AccessMap::Forget(DeviceAddress begin, DeviceAddress end) {
  if (begin >= end) return;
  Cut(begin);
  Cut(end);
  segments_.erase(segments_.lower_bound(begin), segments_.lower_bound(end));
}

}  // namespace warpcheck::order

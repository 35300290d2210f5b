#include "emulator/checkers/forbidden_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <utility>

#include "emulator/core/launch.h"
#include "emulator/core/warp.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"

namespace warpcheck::emulator {
namespace {

// Returns the first forbidden range that has bytes of [begin, end), or null.
const ForbiddenRange* FirstIn(const std::vector<ForbiddenRange>& ranges, std::uint64_t begin,
                              std::uint64_t end) {
  const auto found = std::ranges::upper_bound(ranges, begin, {}, &ForbiddenRange::end);
  return found == ranges.end() || found->begin >= end ? nullptr : &*found;
}

}  // namespace

void ForbiddenStores::Forbid(DeviceAddress address, std::vector<ForbiddenRange> ranges) {
  for (ForbiddenRange& range : ranges) {
    range.begin += address;
    range.end += address;
  }
  if (ranges.empty()) {
    forbidden_.erase(address);
  } else {
    forbidden_[address] = std::move(ranges);
  }
}

void ForbiddenStores::OnAccess(const AccessEvent& event) {
  if (event.memory != MemoryKind::kGlobal || event.info.kind == MemoryInfo::Kind::kLoad) return;
  const auto found = forbidden_.find(event.begin);
  if (found == forbidden_.end()) return;
  const std::vector<ForbiddenRange>& ranges = found->second;
  if (FirstIn(ranges, event.extent.begin, event.extent.end) == nullptr) return;
  std::map<FindingKind, LaneMask> lanes;
  EachLane(event.mask, [&](std::size_t lane) {
    const std::uint64_t at = event.addresses[lane];
    const ForbiddenRange* const range = FirstIn(ranges, at, at + event.info.bytes);
    if (range != nullptr) lanes[range->kind] |= LaneMask{1} << lane;
  });
  for (const auto& [kind, mask] : lanes) {
    const std::uint64_t at = event.addresses[static_cast<std::size_t>(std::countr_zero(mask))];
    std::string text;
    if (!Reported(event.warp, event.step, kind)) {
      text = fmt::format(
          "stores to {}, which {}",
          ElementText(*event.warp.launch, MemoryKind::kGlobal, at, event.info.bytes),
          kind == FindingKind::kInputStore ? "the function may only read" : "must stay as it is");
    }
    Report(event.warp, event.step, kind, mask, std::move(text));
  }
}

}  // namespace warpcheck::emulator

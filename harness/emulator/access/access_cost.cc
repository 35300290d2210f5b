#include "emulator/access/access_cost.h"

#include <algorithm>
#include <bit>

#include "emulator/counters/counter_law.h"

namespace warpcheck::emulator {
namespace {

using Kind = MemoryInfo::Kind;

SharedAccess SharedKindOf(Kind kind) {
  switch (kind) {
    case Kind::kLoad:
      return SharedAccess::kLoad;
    case Kind::kStore:
      return SharedAccess::kStore;
    case Kind::kReduction:
      return SharedAccess::kReduction;
    case Kind::kAtomic:
      break;
  }
  return SharedAccess::kAtomic;
}

// Local memory lies interleaved: the same 4-byte word of the 32 lanes is contiguous.
void AddLocal(Tally& tally, const MemoryGeometry& geometry, std::uint32_t bytes, LaneMask lanes,
              const LaneAddresses& addresses) {
  const std::uint32_t words = std::max(bytes, 4U) / 4;
  for (std::uint32_t word = 0; word < words; ++word) {
    LaneAddresses places = {};
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      places[lane] = ((addresses[lane] / 4 + word) * kLanes + lane) * 4;
    }
    const GlobalCost cost = CostOfGlobal(geometry, {lanes, places.data(), 4});
    tally.cost += cost.sectors;
    tally.ideal += cost.ideal_sectors;
  }
}

}  // namespace

Tally CostOf(const MemoryGeometry& geometry, const MemoryInfo& info, TallyOf where, LaneMask lanes,
             const LaneAddresses& addresses) {
  Tally tally{.requests = 1, .lanes = static_cast<unsigned>(std::popcount(lanes))};
  const WarpAccess access{lanes, addresses.data(), info.bytes};
  switch (where) {
    case TallyOf::kGlobal: {
      const GlobalCost cost = CostOfGlobal(geometry, access);
      tally.cost = cost.sectors;
      tally.ideal = cost.ideal_sectors;
      break;
    }
    case TallyOf::kShared: {
      const SharedCost cost = info.counting == Counting::kMatrixRows
                                  ? CostOfMatrixRows(geometry, access)
                                  : CostOfShared(geometry, access, SharedKindOf(info.kind));
      tally.cost = cost.wavefronts;
      tally.ideal = cost.ideal_wavefronts;
      break;
    }
    case TallyOf::kLocal:
      AddLocal(tally, geometry, info.bytes, lanes, addresses);
      break;
  }
  return tally;
}

std::uint64_t BaseOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                     const LaneAddresses& addresses) {
  constexpr std::uint64_t kWordBytes = 4;
  const std::uint64_t unit = where == TallyOf::kShared ? kWordBytes : kSectorBytes;
  return ExtentOf(addresses, lanes, info.bytes).begin / unit * unit;
}

AccessExample ExampleOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                        const LaneAddresses& addresses, const Tally& cost) {
  using To = AccessExample::Kind;
  const bool shared = where == TallyOf::kShared;
  AccessExample example;
  example.memory = shared ? AccessExample::Memory::kShared : AccessExample::Memory::kGlobal;
  example.kind = info.counting == Counting::kMatrixRows ? To::kMatrixRows
                 : info.kind == Kind::kLoad             ? To::kLoad
                 : info.kind == Kind::kStore            ? To::kStore
                 : info.kind == Kind::kReduction        ? To::kReduction
                                                        : To::kAtomic;
  example.mask = lanes;
  example.bytes = info.bytes;
  const std::uint64_t base = BaseOf(info, where, lanes, addresses);
  EachLane(lanes, [&](std::size_t lane) { example.offsets[lane] = addresses[lane] - base; });
  example.cost = cost.cost;
  example.ideal = cost.ideal;
  if (shared && info.shared != SharedRange()) {
    example.begin = static_cast<std::uint32_t>(info.shared.begin);
    example.end = static_cast<std::uint32_t>(info.shared.end);
  }
  return example;
}

}  // namespace warpcheck::emulator

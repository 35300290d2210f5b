#include "emulator/access/access_cost.h"

#include <algorithm>
#include <bit>

#include "emulator/memory/device_memory.h"
#include "hardware/counter_law.h"

namespace warpcheck::emulator {
namespace {

AccessExample::Kind KindOf(const MemoryInfo& info) {
  if (info.counting == Counting::kMatrixRows) return AccessExample::Kind::kMatrixRows;
  if (info.takes_turns) {
    return info.counting == Counting::kCopy ? AccessExample::Kind::kCopy
                                            : AccessExample::Kind::kAtomic;
  }
  switch (info.kind) {
    case MemoryInfo::Kind::kLoad:
      return AccessExample::Kind::kLoad;
    case MemoryInfo::Kind::kStore:
      return AccessExample::Kind::kStore;
    case MemoryInfo::Kind::kReduction:
      return AccessExample::Kind::kReduction;
    case MemoryInfo::Kind::kAtomic:
      break;
  }
  return AccessExample::Kind::kAtomic;
}

// Local memory is interleaved: the 32 lanes' copies of a 4-byte word lie side by side.
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

TallyOf TallyFor(const MemoryInfo& info, Region::What what) {
  // A GPU counts loads of constants by generic addresses as loads of global memory.
  const bool own = info.space == ptx::Space::kConst;
  if (info.space == ptx::Space::kShared) return TallyOf::kShared;
  if (info.space == ptx::Space::kLocal) return TallyOf::kLocal;
  switch (what) {
    case Region::What::kShared:
      return TallyOf::kShared;
    case Region::What::kLocal:
      return TallyOf::kLocal;
    case Region::What::kParam:
      return TallyOf::kConstant;
    case Region::What::kConstant:
    case Region::What::kHeap:
    case Region::What::kNone:
      return own ? TallyOf::kConstant : TallyOf::kGlobal;
  }
  return TallyOf::kGlobal;
}

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
      const SharedCost cost = CostOfShared(geometry, access, KindOf(info));
      tally.cost = cost.wavefronts;
      tally.ideal = cost.ideal_wavefronts;
      break;
    }
    case TallyOf::kConstant:
      tally.cost = PassesOfConstant(access);
      tally.ideal = 1;
      break;
    case TallyOf::kLocal:
      AddLocal(tally, geometry, info.bytes, lanes, addresses);
      break;
    case TallyOf::kOther:  // counted where the instruction is carried out (Counting)
      break;
  }
  return tally;
}

void AddByAllocation(MemorySite& site, const MemoryGeometry& geometry, const MemoryInfo& info,
                     std::span<const LanesOfAllocation> shares, const LaneAddresses& addresses,
                     const Tally& cost) {
  if (shares.size() == 1) {
    site.Of(shares.front().begin).alone += cost;
    return;
  }
  site.tallies[static_cast<std::size_t>(TallyOf::kGlobal)] += cost;
  for (const LanesOfAllocation& share : shares) {
    site.Of(share.begin).shared += CostOf(geometry, info, TallyOf::kGlobal, share.lanes, addresses);
  }
}

std::uint64_t BaseOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                     const LaneAddresses& addresses) {
  const std::uint64_t unit = where == TallyOf::kShared ? kBankBytes : kSectorBytes;
  return ExtentOf(addresses, lanes, info.bytes).begin / unit * unit;
}

AccessExample ExampleOf(const MemoryInfo& info, TallyOf where, LaneMask lanes,
                        const LaneAddresses& addresses, const Tally& cost) {
  const bool shared = where == TallyOf::kShared;
  AccessExample example;
  example.memory = shared ? AccessExample::Memory::kShared : AccessExample::Memory::kGlobal;
  example.kind = KindOf(info);
  example.mask = lanes;
  example.bytes = info.bytes;
  const std::uint64_t base = BaseOf(info, where, lanes, addresses);
  EachLane(lanes, [&](std::size_t lane) { example.offsets[lane] = addresses[lane] - base; });
  example.cost = cost.cost;
  example.ideal = cost.ideal;
  if (shared && info.shared != SharedRange()) {
    example.begin = static_cast<std::uint32_t>(info.shared.begin);
    example.end = static_cast<std::uint32_t>(info.shared.end);
    const std::uint64_t lowest = kSharedWindow.Contains(base) ? base - kSharedWindow.begin : base;
    if (lowest >= info.shared.begin) {
      example.base.bytes = static_cast<std::uint32_t>(lowest - info.shared.begin);
    }
  }
  return example;
}

void KeepWorst(MemorySite& site, const MemoryInfo& info, TallyOf where, LaneMask lanes,
               const LaneAddresses& addresses, const Tally& cost) {
  if (where != TallyOf::kGlobal && where != TallyOf::kShared) return;
  const std::uint64_t excess = cost.cost - std::min(cost.cost, cost.ideal);
  if (where == TallyOf::kGlobal && excess == 0) return;
  auto& worst = site.worst[static_cast<std::size_t>(
      where == TallyOf::kShared ? AccessExample::Memory::kShared : AccessExample::Memory::kGlobal)];
  if (worst && excess < worst->Excess()) return;
  const AccessExample example = ExampleOf(info, where, lanes, addresses, cost);
  if (!worst || IsWorse(example, *worst)) worst = example;
}

}  // namespace warpcheck::emulator

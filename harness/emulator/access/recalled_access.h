// The quick way through a load or store: an access like the one before.
#pragma once

#include <bit>
#include <cstdint>

#include "emulator/access/part_access.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"
#include "emulator/lanes/lanes.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

template <class Address>
inline const Address* DeltaOf(const MemorySite& site) {
  if constexpr (sizeof(Address) == 8) {
    return site.delta.data();
  } else {
    return site.delta32.data();
  }
}

// The host address of the lowest active lane, if the site has seen this access before: the same
// lanes at the same distances, aligned the same way, inside the same stretch of memory. Counts it.
// Null: Resolve has to look. Address: the type of the address register.
template <class Address>
[[gnu::always_inline]] inline std::byte* Recall(MemorySite& site, const Address* base,
                                                const Step& step, LaneMask mask,
                                                std::uint32_t bytes) {
  if (mask != site.mask) return nullptr;
  const int lowest = std::countr_zero(mask);
  const Address first = base[lowest];
  const Address* const delta = DeltaOf<Address>(site);
  Address different = 0;
  if (mask == kAllLanes) [[likely]] {
    for (int i = 0; i < kLanes; ++i) {
      different |= static_cast<Address>(base[i] - first) ^ delta[i];
    }
  } else {
    for (int i = 0; i < kLanes; ++i) {
      const auto difference = static_cast<Address>(base[i] - first) ^ delta[i];
      different |= ((mask >> i) & 1U) != 0 ? difference : 0;
    }
  }
  if (different != 0) return nullptr;
  const std::uint64_t address = static_cast<Address>(first + static_cast<Address>(step.data));
  if ((address & (bytes - 1)) != 0) return nullptr;
  // Not address + above: an address near 2^64 would wrap around and pass.
  const std::uint64_t offset = address - site.begin;
  if (offset < site.below || offset > site.end - site.begin - site.above) return nullptr;
  const std::uint32_t phase = static_cast<std::uint32_t>(address) & site.phase_mask;
  if (site.cost[phase] == 0) return nullptr;
  Tally& tally = *site.tally;
  ++tally.requests;
  tally.cost += site.cost[phase];
  tally.ideal += site.ideal[phase];
  tally.lanes += static_cast<unsigned>(std::popcount(mask));
  return site.host + (address - site.begin);
}

[[gnu::always_inline]] inline std::byte* Recall(std::byte* frame, const Step& step, LaneMask mask,
                                                MemorySite& site, const MemoryInfo& info) {
  return info.address_bytes == 8
             ? Recall(site, Lanes<std::uint64_t>(frame, step.a), step, mask, info.bytes)
             : Recall(site, Lanes<std::uint32_t>(frame, step.a), step, mask, info.bytes);
}

// Recall, of the access before the last.
[[gnu::noinline]] inline std::byte* RecallEarlier(std::byte* frame, const Step& step, LaneMask mask,
                                                  MemorySite& site, const MemoryInfo& info) {
  return site.TurnTo(mask) ? Recall(frame, step, mask, site, info) : nullptr;
}

// Tells of an access that was recalled, where MemorySite::tell says so; `first`: what Recall gave.
// The result is where it goes, elsewhere in a part of a launch.
[[gnu::noinline]] inline std::byte* TellRecalled(std::byte* first, const Step& step, LaneMask mask,
                                                 Warp& warp, const MemoryInfo& info) {
  const MemorySite& site = warp.sites[step.memory];
  const bool shared = site.tally == &site.tallies[static_cast<std::size_t>(TallyOf::kShared)];
  const std::uint64_t begin = shared ? 0 : site.begin;
  const auto offset = static_cast<std::uint64_t>(first - site.host);
  std::byte* host = site.host;
  if (site.view != nullptr) host = HostInPart(site, offset, mask, info);
  if (warp.observers == nullptr) return host + offset;
  // Where a row of stores goes is fetched while the observers work.
  if (info.kind == MemoryInfo::Kind::kStore && site.contiguous) {
    for (std::size_t i = 0; i < site.after; i += 64) __builtin_prefetch(host + offset + i, 1);
  }
  LaneAddresses addresses;
  for (std::size_t i = 0; i < addresses.size(); ++i) addresses[i] = begin + offset + site.delta[i];
  Tell(*warp.observers, &Observer::OnAccess,
       AccessEvent{.warp = warp,
                   .step = step,
                   .info = info,
                   .memory = shared ? MemoryKind::kShared : MemoryKind::kGlobal,
                   .mask = mask,
                   .shape = site.contiguous ? AccessShape::kContiguous
                            : site.uniform  ? AccessShape::kUniform
                                            : AccessShape::kScattered,
                   .addresses = addresses,
                   .extent = {begin + offset - site.before, begin + offset + site.after},
                   .pattern = site.pattern,
                   .begin = begin,
                   .end = shared ? site.end - site.begin : site.end,
                   .host = host});
  return host + offset;
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

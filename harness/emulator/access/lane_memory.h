// Moves values between memory and the registers of a warp's lanes. T is the type of an element in
// memory. R is its type in registers, which is at least as wide; values are sign-extended if T is
// signed. `count` is the number of elements of a lane, which lie side by side.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "emulator/access/memory_access.h"
#include "emulator/core/observer.h"
#include "emulator/core/warp.h"
#include "emulator/lanes/lane_types.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// Counts an access that is like the one before, and returns the host address of its lowest lane. An
// access is like another if the same lanes have the same distances and the same alignment, in the
// same range of memory. Returns null if the access is different; then Resolve must handle it.
// Address is the type of the address register.
template <class Address>
[[gnu::always_inline]] inline std::byte* Recall(CachedAccess& last, const Address* base,
                                                const Step& step, LaneMask mask,
                                                std::uint32_t bytes) {
  if (mask != last.mask) return nullptr;
  const int lowest = std::countr_zero(mask);
  const Address first = base[lowest];
  const Address* const delta = [&] {
    if constexpr (sizeof(Address) == 8) return last.delta.data();
    if constexpr (sizeof(Address) == 4) return last.delta32.data();
  }();
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
  // The sum address + above could wrap around for an address near 2^64, and the comparison would be
  // wrong.
  const std::uint64_t offset = address - last.begin;
  if (offset < last.below || offset > last.end - last.begin - last.above) return nullptr;
  const std::uint32_t phase = static_cast<std::uint32_t>(address) & last.phase_mask;
  if (last.cost[phase] == 0) return nullptr;
  Tally& tally = *last.tally;
  ++tally.requests;
  tally.cost += last.cost[phase];
  tally.ideal += last.ideal[phase];
  const auto lanes = static_cast<unsigned>(std::popcount(mask));
  tally.lanes += lanes;
  *last.moved += std::uint64_t{lanes} * bytes;
  return last.host + (address - last.begin);
}

[[gnu::always_inline]] inline std::byte* Recall(std::byte* frame, const Step& step, LaneMask mask,
                                                MemorySite& site, const MemoryInfo& info) {
  return info.address_bytes == 8
             ? Recall(site.last, Lanes<std::uint64_t>(frame, step.a), step, mask, info.bytes)
             : Recall(site.last, Lanes<std::uint32_t>(frame, step.a), step, mask, info.bytes);
}

// Does the same as Recall, but for the earlier access of the site.
[[gnu::noinline]] inline std::byte* RecallEarlier(std::byte* frame, const Step& step, LaneMask mask,
                                                  MemorySite& site, const MemoryInfo& info) {
  return site.TurnTo(mask) ? Recall(frame, step, mask, site, info) : nullptr;
}

// Tells the view and the observers of an access for which CachedAccess::tell is set. `first` is the
// result of Recall. Returns the host address that the access must use, which is a different one in
// a part of a launch.
[[gnu::noinline]] inline std::byte* TellCached(std::byte* first, const Step& step, LaneMask mask,
                                               Warp& warp, const MemoryInfo& info) {
  const MemorySite& site = warp.running.sites[step.memory];
  const CachedAccess& last = site.last;
  const bool shared = last.tally == &site.tallies[static_cast<std::size_t>(TallyOf::kShared)];
  const std::uint64_t begin = shared ? 0 : last.begin;
  const auto offset = static_cast<std::uint64_t>(first - last.host);
  std::byte* host = last.host;
  if (last.view != nullptr) host = HostInPart(last, offset, mask, info);
  if (warp.observers == nullptr) return host + offset;
  // Prefetches the target of a contiguous store while the observers work.
  if (info.kind == MemoryInfo::Kind::kStore && last.contiguous) {
    for (std::size_t i = 0; i < last.after; i += 64) __builtin_prefetch(host + offset + i, 1);
  }
  LaneAddresses addresses;
  for (std::size_t i = 0; i < addresses.size(); ++i) addresses[i] = begin + offset + last.delta[i];
  Tell(*warp.observers, &Observer::OnAccess,
       AccessEvent{.warp = warp,
                   .step = step,
                   .info = info,
                   .memory = shared ? MemoryKind::kShared : MemoryKind::kGlobal,
                   .mask = mask,
                   .shape = last.contiguous ? AccessShape::kContiguous
                            : last.uniform  ? AccessShape::kUniform
                                            : AccessShape::kScattered,
                   .addresses = addresses,
                   .extent = {begin + offset - last.before, begin + offset + last.after},
                   .pattern = last.pattern,
                   .begin = begin,
                   .end = shared ? last.end - last.begin : last.end,
                   .host = host});
  return host + offset;
}

template <class T>
inline T At(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Loads eight neighbouring elements. It uses vectors, because reading a whole register is slow
// after it was written lane by lane.
template <class T, class R, int count>
[[gnu::always_inline]] inline void LoadRun(const std::byte* first, R* d) {
  if constexpr (count == 1) {
    typedef T From __attribute__((vector_size(8 * sizeof(T)), aligned(1)));
    typedef R To __attribute__((vector_size(8 * sizeof(R)), aligned(sizeof(R))));
    const From values = *reinterpret_cast<const From*>(first);
    *reinterpret_cast<To*>(d) = __builtin_convertvector(values, To);
  } else {
    for (std::size_t i = 0; i < 8; ++i) d[i] = static_cast<R>(At<T>(first + i * sizeof(T) * count));
  }
}

// Loads the elements of all lanes, eight at a time. In many kernels 8 or 16 neighbouring lanes read
// neighbouring words, or one word.
template <class T, class R, int count>
[[gnu::always_inline]] inline void LoadRuns(const CachedAccess& last, const std::byte* from, R* d) {
  for (std::size_t run = 0; run < last.runs.size(); ++run, d += 8) {
    const std::uint64_t* delta = last.delta.data() + run * 8;
    const std::byte* first = from + delta[0];
    switch (last.runs[run]) {
      case CachedAccess::Run::kContiguous:
        LoadRun<T, R, count>(first, d);
        break;
      case CachedAccess::Run::kUniform: {
        const R value = static_cast<R>(At<T>(first));
        for (std::size_t i = 0; i < 8; ++i) d[i] = value;
        break;
      }
      case CachedAccess::Run::kScattered:
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) d[i] = static_cast<R>(At<T>(from + delta[i]));
        break;
    }
  }
}

// Moves one element of each lane of `mask`, at the distances that `last` remembers. The element of
// the lowest lane is at `from` or `to`.
template <class T, class R, int count>
[[gnu::always_inline]] inline void LoadCached(const CachedAccess& last, LaneMask mask,
                                              const std::byte* from, R* d) {
  if (last.contiguous) {
    StoreLanes(d, kAllLanes, [=](int i) {
      return static_cast<R>(At<T>(from + static_cast<std::size_t>(i) * sizeof(T) * count));
    });
  } else if (mask == kAllLanes) {
    LoadRuns<T, R, count>(last, from, d);
  } else {
    const std::uint64_t* const delta = last.delta.data();
    ForEachLane(mask, [=](int i) { d[i] = static_cast<R>(At<T>(from + delta[i])); });
  }
}

template <class T, class R, int count>
[[gnu::always_inline]] inline void StoreCached(const CachedAccess& last, LaneMask mask,
                                               std::byte* to, const R* a) {
  if (last.contiguous) {
    for (int i = 0; i < kLanes; ++i) {
      const T value = static_cast<T>(a[i]);
      std::memcpy(to + static_cast<std::size_t>(i) * sizeof(T) * count, &value, sizeof value);
    }
  } else {
    const std::uint64_t* const delta = last.delta.data();
    ForEachLane(mask, [=](int i) {
      const T value = static_cast<T>(a[i]);
      std::memcpy(to + delta[i], &value, sizeof value);
    });
  }
}

// Returns pick.operator()<T, R, count>() for the elements and registers that an instruction moves,
// or null if their types do not fit together.
template <class Pick>
StepFunction OnElements(const Operands& operands, std::uint32_t register_bytes, Pick pick) {
  const auto of_type = [&]<class T>() {
    using Least = std::conditional_t<sizeof(T) == 1, std::uint16_t, T>;  // the narrowest register
    return OnRegister<Least>(register_bytes, [&]<class R>() -> StepFunction {
      const int count = operands.modifiers().vector;
      if (count == 1) return pick.template operator()<T, R, 1>();
      if (count == 2) return pick.template operator()<T, R, 2>();
      if (count == 4) return pick.template operator()<T, R, 4>();
      return count == 8 ? pick.template operator()<T, R, 8>() : nullptr;
    });
  };
  const std::uint32_t bytes = ptx::Bytes(operands.type());
  if (!ptx::IsSigned(operands.type()) || bytes == 8) {
    return OnRegister<std::uint8_t>(bytes, of_type);
  }
  if (bytes == 1) return of_type.template operator()<std::int8_t>();
  if (bytes == 2) return of_type.template operator()<std::int16_t>();
  return of_type.template operator()<std::int32_t>();
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

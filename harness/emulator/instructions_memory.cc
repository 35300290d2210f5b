// Loads and stores (PTX ISA, "Data Movement": ld, ldu, st, cp.async).

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/decode_access.h"
#include "emulator/decoder.h"
#include "emulator/events.h"
#include "emulator/instructions.h"
#include "emulator/lanes.h"
#include "emulator/launch.h"
#include "emulator/memory_access.h"
#include "emulator/part_access.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

template <class Address>
const Address* DeltaOf(const MemorySite& site) {
  if constexpr (sizeof(Address) == 8) {
    return site.delta.data();
  } else {
    return site.delta32.data();
  }
}

// The host address of the lowest active lane, if the site has seen this access before: the same
// lanes at the same distances, aligned the same way, inside the same stretch of memory. Counts it.
// Null: Resolve has to look. kAddress: the type of the address register.
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
                                                Warp& warp, const MemoryInfo& info) {
  MemorySite& site = warp.sites[step.memory];
  return info.address_bytes == 8
             ? Recall(site, Lanes<std::uint64_t>(frame, step.a), step, mask, info.bytes)
             : Recall(site, Lanes<std::uint32_t>(frame, step.a), step, mask, info.bytes);
}

// Tells the observers of an access that was recalled; `first`: what Recall gave. The result is
// where it goes, elsewhere in a part of a launch.
[[gnu::noinline]] std::byte* TellRecalled(std::byte* first, const Step& step, LaneMask mask,
                                          Warp& warp, const MemoryInfo& info) {
  const MemorySite& site = warp.sites[step.memory];
  const bool shared = site.tally == &site.tallies[static_cast<std::size_t>(TallyOf::kShared)];
  const std::uint64_t begin = shared ? 0 : site.begin;
  const auto offset = static_cast<std::uint64_t>(first - site.host);
  std::byte* host = site.host;
  if (site.view != nullptr) host = HostInPart(site, offset, mask, info);
  if (warp.observers->empty()) return host + offset;
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
                   .extent = {begin + offset - site.below, begin + offset + site.above},
                   .pattern = site.pattern,
                   .begin = begin,
                   .end = shared ? site.end - site.begin : site.end,
                   .host = host});
  return host + offset;
}

template <class T>
T At(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Eight neighbours. Vectors, because a register that is written lane by lane is read slowly as a
// whole.
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

// All lanes, eight at a time: many kernels let 8 or 16 neighbours read neighbouring words or one.
template <class T, class R, int count>
[[gnu::always_inline]] inline void LoadRuns(const MemorySite& site, const std::byte* from, R* d) {
  for (std::size_t run = 0; run < site.runs.size(); ++run, d += 8) {
    const std::uint64_t* delta = site.delta.data() + run * 8;
    const std::byte* first = from + delta[0];
    switch (site.runs[run]) {
      case MemorySite::Run::kContiguous:
        LoadRun<T, R, count>(first, d);
        break;
      case MemorySite::Run::kUniform: {
        const R value = static_cast<R>(At<T>(first));
        for (std::size_t i = 0; i < 8; ++i) d[i] = value;
        break;
      }
      case MemorySite::Run::kScattered:
#pragma GCC unroll 8
        for (std::size_t i = 0; i < 8; ++i) d[i] = static_cast<R>(At<T>(from + delta[i]));
        break;
    }
  }
}

// `count` elements of type T a lane into registers of type R (wider: extended as T is signed).
template <class T, class R, int count>
void Load(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.program->memory.data()[step.memory];
  if (std::byte* first = Recall(frame, step, mask, warp, info)) [[likely]] {
    if (warp.observers != nullptr) [[unlikely]]
      first = TellRecalled(first, step, mask, warp, info);
    const MemorySite& site = warp.sites[step.memory];
    const std::uint64_t* delta = site.delta.data();
    for (int e = 0; e < count; ++e) {
      R* d = Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]);
      const std::byte* from = first + static_cast<std::size_t>(e) * sizeof(T);
      if (site.contiguous) {
        StoreLanes(d, kAllLanes, [=](int i) {
          return static_cast<R>(At<T>(from + static_cast<std::size_t>(i) * sizeof(T) * count));
        });
      } else if (mask == kAllLanes) {
        LoadRuns<T, R, count>(site, from, d);
      } else {
        ForEachLane(mask, [=](int i) { d[i] = static_cast<R>(At<T>(from + delta[i])); });
      }
    }
    return;
  }
  std::byte* at[kLanes];
  const LaneMask good = Resolve(frame, step, mask, warp, at);
  for (int e = 0; e < count; ++e) {
    R* d = Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]);
    ForEachLane(good, [&](int i) {
      d[i] = static_cast<R>(At<T>(at[i] + static_cast<std::size_t>(e) * sizeof(T)));
    });
    ForEachLane(mask & ~good, [&](int i) { d[i] = static_cast<R>(~R{0}); });
  }
}

template <class T, class R, int count>
void Store(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.program->memory.data()[step.memory];
  if (std::byte* first = Recall(frame, step, mask, warp, info)) [[likely]] {
    if (warp.observers != nullptr) [[unlikely]]
      first = TellRecalled(first, step, mask, warp, info);
    const MemorySite& site = warp.sites[step.memory];
    const std::uint64_t* delta = site.delta.data();
    for (int e = 0; e < count; ++e) {
      const R* a = Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]);
      std::byte* to = first + static_cast<std::size_t>(e) * sizeof(T);
      if (site.contiguous) {
        for (int i = 0; i < kLanes; ++i) {
          const T value = static_cast<T>(a[i]);
          std::memcpy(to + static_cast<std::size_t>(i) * sizeof(T) * count, &value, sizeof value);
        }
      } else {
        ForEachLane(mask, [=](int i) {
          const T value = static_cast<T>(a[i]);
          std::memcpy(to + delta[i], &value, sizeof value);
        });
      }
    }
    return;
  }
  std::byte* at[kLanes];
  const LaneMask good = Resolve(frame, step, mask, warp, at);
  for (int e = 0; e < count; ++e) {
    const R* a = Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]);
    ForEachLane(good, [&](int i) {
      const T value = static_cast<T>(a[i]);
      std::memcpy(at[i] + static_cast<std::size_t>(e) * sizeof(T), &value, sizeof value);
    });
  }
}

// Of the kernel's parameters: step.data is the offset in the parameter block, the same for all.
template <class T, class R, int count>
void LoadKernelParameter(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const std::byte* from = warp.launch->request->parameters.data() + step.data;
  const MemoryInfo& info = warp.program->memory.data()[step.memory];
  for (int e = 0; e < count; ++e) {
    const R value = static_cast<R>(At<T>(from + static_cast<std::size_t>(e) * sizeof(T)));
    StoreLanes(Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]), mask,
               [=](int) { return value; });
  }
}

// Of a device function or a call: step.a is the area, step.data the offset, step.b its stride.
template <class T, class R, int count>
void LoadArea(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.program->memory.data()[step.memory];
  for (int e = 0; e < count; ++e) {
    R* d = Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]);
    const std::byte* from = frame + step.a + step.data + static_cast<std::size_t>(e) * sizeof(T);
    ForEachLane(mask, [&](int i) {
      d[i] = static_cast<R>(At<T>(from + static_cast<std::size_t>(i) * step.b));
    });
  }
}

template <class T, class R, int count>
void StoreArea(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.program->memory.data()[step.memory];
  for (int e = 0; e < count; ++e) {
    const R* a = Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]);
    std::byte* to = frame + step.a + step.data + static_cast<std::size_t>(e) * sizeof(T);
    ForEachLane(mask, [&](int i) {
      const T value = static_cast<T>(a[i]);
      std::memcpy(to + static_cast<std::size_t>(i) * step.b, &value, sizeof value);
    });
  }
}

enum class How : std::uint8_t { kLoad, kStore, kKernelParameter, kLoadArea, kStoreArea };

template <class T, class R, int count>
StepFunction Pick(How how) {
  switch (how) {
    case How::kLoad:
      return Load<T, R, count>;
    case How::kStore:
      return Store<T, R, count>;
    case How::kKernelParameter:
      return LoadKernelParameter<T, R, count>;
    case How::kLoadArea:
      return LoadArea<T, R, count>;
    case How::kStoreArea:
      return StoreArea<T, R, count>;
  }
  return nullptr;
}

template <class T, class R>
StepFunction OfCount(How how, int count) {
  switch (count) {
    case 1:
      return Pick<T, R, 1>(how);
    case 2:
      return Pick<T, R, 2>(how);
    case 4:
      return Pick<T, R, 4>(how);
    case 8:
      return Pick<T, R, 8>(how);
    default:
      return nullptr;
  }
}

template <class T>
StepFunction OfRegister(How how, int count, std::uint32_t register_bytes) {
  switch (register_bytes) {
    case 2:
      if constexpr (sizeof(T) <= 2) return OfCount<T, std::uint16_t>(how, count);
      break;
    case 4:
      if constexpr (sizeof(T) <= 4) return OfCount<T, std::uint32_t>(how, count);
      break;
    case 8:
      return OfCount<T, std::uint64_t>(how, count);
    default:
      break;
  }
  return nullptr;
}

StepFunction OfType(How how, ptx::Type type, int count, std::uint32_t register_bytes) {
  const bool is_signed = ptx::IsSigned(type);
  switch (ptx::Bytes(type)) {
    case 1:
      return is_signed ? OfRegister<std::int8_t>(how, count, register_bytes)
                       : OfRegister<std::uint8_t>(how, count, register_bytes);
    case 2:
      return is_signed ? OfRegister<std::int16_t>(how, count, register_bytes)
                       : OfRegister<std::uint16_t>(how, count, register_bytes);
    case 4:
      return is_signed ? OfRegister<std::int32_t>(how, count, register_bytes)
                       : OfRegister<std::uint32_t>(how, count, register_bytes);
    case 8:
      return OfRegister<std::uint64_t>(how, count, register_bytes);
    default:
      return nullptr;
  }
}

// The registers (or immediates) of the value at operand `index`, one or a vector of them, all of
// the width that is returned; 0 where they differ.
std::uint32_t DecodeValues(Operands& operands, std::size_t index, bool destination,
                           std::array<Slot, 8>& slots) {
  const ptx::Operand& value = operands[index];
  const bool vector = value.kind == ptx::OperandKind::kVector;
  const std::size_t count = vector ? value.elements.size() : 1;
  const auto element = [&](std::size_t e) -> const ptx::Operand& {
    return vector ? value.elements[e] : value;
  };
  std::uint32_t bytes = 0;
  for (std::size_t e = 0; e < count; ++e) {
    const std::uint32_t width = operands.RegisterBytesOf(element(e));
    if (width != 0 && bytes != 0 && width != bytes) return 0;
    if (width != 0) bytes = width;
  }
  if (bytes == 0) bytes = std::max(ptx::Bytes(operands.type()), 2U);
  for (std::size_t e = 0; e < count && e < slots.size(); ++e) {
    slots[e] = destination ? operands.DestinationOf(element(e), bytes)
                           : operands.SourceOf(element(e), bytes);
  }
  return bytes;
}

// An access to a .param variable: of the kernel, or of a function or call.
StepFunction DecodeParameter(Operands& operands, Step& step, bool load, const ptx::Operand& address,
                             std::uint32_t register_bytes) {
  FunctionDecoder& decoder = operands.decoder();
  const ptx::Symbol& symbol = decoder.module().symbols[address.symbol];
  const int count = operands.modifiers().vector;
  const std::uint64_t bytes = ptx::Bytes(operands.type()) * static_cast<std::uint64_t>(count);
  const auto offset = static_cast<std::uint64_t>(address.offset);
  if (offset > symbol.bytes || symbol.bytes - offset < bytes) {
    operands.Refuse("accesses a parameter beyond its end");
    return nullptr;
  }
  if (decoder.IsKernelParameter(address.symbol)) {
    if (!load) return nullptr;
    step.data = symbol.param_offset + offset;
    return OfType(How::kKernelParameter, operands.type(), count, register_bytes);
  }
  const ParamArea area = decoder.Area(address.symbol);
  step.a = area.slot;
  step.b = area.stride;
  step.data = offset;
  return OfType(load ? How::kLoadArea : How::kStoreArea, operands.type(), count, register_bytes);
}

StepFunction Decode(Operands& operands, Step& step, bool load) {
  const std::size_t address_index = load ? 1 : 0;
  const std::size_t value_index = load ? 0 : 1;
  const int count = operands.modifiers().vector;
  const std::uint32_t bytes = ptx::Bytes(operands.type()) * static_cast<std::uint32_t>(count);
  const ptx::Operand& address = operands[address_index];
  std::array<Slot, 8> values = {};
  const std::uint32_t register_bytes = DecodeValues(operands, value_index, load, values);
  const bool parameter =
      operands.modifiers().space == ptx::Space::kParam && address.base == ptx::AddressBase::kSymbol;
  if (parameter) {
    MemoryInfo info;
    info.instruction = step.index;
    info.bytes = bytes;
    info.values = values;
    std::vector<MemoryInfo>& memory = operands.decoder().program().memory;
    step.memory = static_cast<std::uint32_t>(memory.size());
    memory.push_back(info);
    return DecodeParameter(operands, step, load, address, register_bytes);
  }
  MemoryInfo& info = DecodeAccess(operands, step, address_index, bytes,
                                  load ? MemoryInfo::Kind::kLoad : MemoryInfo::Kind::kStore);
  info.values = values;
  info.elements = static_cast<std::uint32_t>(count);
  info.register_bytes = register_bytes;
  return OfType(load ? How::kLoad : How::kStore, operands.type(), count, register_bytes);
}

}  // namespace

StepFunction DecodeLd(Operands& operands, Step& step) { return Decode(operands, step, true); }
StepFunction DecodeLdu(Operands& operands, Step& step) { return Decode(operands, step, true); }
StepFunction DecodeSt(Operands& operands, Step& step) { return Decode(operands, step, false); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA

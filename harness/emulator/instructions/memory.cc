// Executes loads, stores and hints about caches (PTX ISA, "Data Movement": ld, ldu, st, prefetch,
// discard).
#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/access/lane_memory.h"
#include "emulator/access/memory_access.h"
#include "emulator/core/launch.h"
#include "emulator/decode/access_decoder.h"
#include "emulator/decode/decoder.h"
#include "emulator/decode/operands.h"
#include "emulator/instructions/instructions.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

// Returns the lanes of the register for element `e`.
template <class R>
[[gnu::always_inline]] inline R* ElementOf(std::byte* frame, const MemoryInfo& info, int e) {
  return Lanes<R>(frame, info.values[static_cast<std::size_t>(e)]);
}

// Returns the value that has all bits set in memory. For a byte this is 255, whatever the width of
// its register.
template <class T>
T AllOnes() {
  T value;
  std::memset(&value, 0xFF, sizeof value);
  return value;
}

// Executes an access that is not like an earlier one. Lanes whose address is wrong load NaN bits.
template <class T, class R, int count>
[[gnu::noinline]] void LoadResolved(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.running.program->memory.data()[step.memory];
  LanePlaces at;
  const LaneMask good = Resolve(frame, step, mask, warp, at);
  for (int e = 0; e < count; ++e) {
    R* d = ElementOf<R>(frame, info, e);
    ForEachLane(good, [&](int i) {
      d[i] = static_cast<R>(At<T>(at[i] + static_cast<std::size_t>(e) * sizeof(T)));
    });
    ForEachLane(mask & ~good, [&](int i) { d[i] = static_cast<R>(AllOnes<T>()); });
  }
}

template <class T, class R, int count>
[[gnu::noinline]] void StoreResolved(std::byte* frame, const Step& step, LaneMask mask,
                                     Warp& warp) {
  const MemoryInfo& info = warp.running.program->memory.data()[step.memory];
  LanePlaces at;
  const LaneMask good = Resolve(frame, step, mask, warp, at);
  for (int e = 0; e < count; ++e) {
    const R* a = ElementOf<R>(frame, info, e);
    ForEachLane(good, [&](int i) {
      const T value = static_cast<T>(a[i]);
      std::memcpy(at[i] + static_cast<std::size_t>(e) * sizeof(T), &value, sizeof value);
    });
  }
}

// Returns the host address of the lowest lane's first element if the access is like an earlier one;
// otherwise returns null.
[[gnu::always_inline]] inline std::byte* FirstRemembered(std::byte* frame, const Step& step,
                                                         LaneMask mask, Warp& warp,
                                                         MemorySite& site, const MemoryInfo& info) {
  std::byte* first = Recall(frame, step, mask, site, info);
  if (first == nullptr) [[unlikely]] {
    first = RecallEarlier(frame, step, mask, site, info);
    if (first == nullptr) return nullptr;
  }
  if (site.last.tell) [[unlikely]]
    return TellCached(first, step, mask, warp, info);
  return first;
}

template <class T, class R, int count>
void Load(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.running.program->memory.data()[step.memory];
  MemorySite& site = warp.running.sites[step.memory];
  std::byte* const first = FirstRemembered(frame, step, mask, warp, site, info);
  if (first == nullptr) [[unlikely]]
    return LoadResolved<T, R, count>(frame, step, mask, warp);
  for (int e = 0; e < count; ++e) {
    const std::byte* from = first + static_cast<std::size_t>(e) * sizeof(T);
    LoadCached<T, R, count>(site.last, mask, from, ElementOf<R>(frame, info, e));
  }
}

template <class T, class R, int count>
void Store(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.running.program->memory.data()[step.memory];
  MemorySite& site = warp.running.sites[step.memory];
  std::byte* const first = FirstRemembered(frame, step, mask, warp, site, info);
  if (first == nullptr) [[unlikely]]
    return StoreResolved<T, R, count>(frame, step, mask, warp);
  for (int e = 0; e < count; ++e) {
    std::byte* to = first + static_cast<std::size_t>(e) * sizeof(T);
    StoreCached<T, R, count>(site.last, mask, to, ElementOf<R>(frame, info, e));
  }
}

// Decodes the value at operand `index`, which is one register or immediate, or a vector of them.
// Returns their width, or 0 if their widths differ.
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

// Loads a parameter of the kernel. step.data is the offset in the parameter block.
template <class T, class R, int count>
void LoadKernelParameter(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const std::byte* from = warp.launch->request->parameters.data() + step.data;
  const MemoryInfo& info = warp.running.program->memory.data()[step.memory];
  for (int e = 0; e < count; ++e) {
    const R value = static_cast<R>(At<T>(from + static_cast<std::size_t>(e) * sizeof(T)));
    StoreLanes(ElementOf<R>(frame, info, e), mask, [=](int) { return value; });
  }
}

// Accesses a parameter area of a device function or a call (PTX ISA, "Parameter State Space").
// step.a is the area, step.data the offset, and step.b the stride.
template <class T, class R, int count>
void LoadArea(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.running.program->memory.data()[step.memory];
  for (int e = 0; e < count; ++e) {
    R* d = ElementOf<R>(frame, info, e);
    const std::byte* from = frame + step.a + step.data + static_cast<std::size_t>(e) * sizeof(T);
    ForEachLane(mask, [&](int i) {
      d[i] = static_cast<R>(At<T>(from + static_cast<std::size_t>(i) * step.b));
    });
  }
}

template <class T, class R, int count>
void StoreArea(std::byte* frame, const Step& step, LaneMask mask, Warp& warp) {
  const MemoryInfo& info = warp.running.program->memory.data()[step.memory];
  for (int e = 0; e < count; ++e) {
    const R* a = ElementOf<R>(frame, info, e);
    std::byte* to = frame + step.a + step.data + static_cast<std::size_t>(e) * sizeof(T);
    ForEachLane(mask, [&](int i) {
      const T value = static_cast<T>(a[i]);
      std::memcpy(to + static_cast<std::size_t>(i) * step.b, &value, sizeof value);
    });
  }
}

StepFunction DecodeParameter(Operands& operands, Step& step, bool load, const ptx::Operand& address,
                             std::uint32_t register_bytes, std::uint32_t bytes) {
  FunctionDecoder& decoder = operands.decoder();
  const ptx::Symbol& symbol = decoder.module().symbols[address.symbol];
  const auto offset = static_cast<std::uint64_t>(address.offset);
  if (offset > symbol.bytes || symbol.bytes - offset < bytes) {
    operands.Refuse("accesses a parameter beyond its end");
    return nullptr;
  }
  if (decoder.IsKernelParameter(address.symbol)) {
    if (!load) return nullptr;
    step.data = symbol.param_offset + offset;
    return OnElements(operands, register_bytes,
                      []<class T, class R, int n>() { return &LoadKernelParameter<T, R, n>; });
  }
  const ParamArea area = decoder.Area(address.symbol);
  step.a = area.slot;
  step.b = area.stride;
  step.data = offset;
  const auto instance = [load]<class T, class R, int n>() {
    return load ? &LoadArea<T, R, n> : &StoreArea<T, R, n>;
  };
  return OnElements(operands, register_bytes, instance);
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
    info.counting = Counting::kOperand;
    info.bytes = bytes;
    info.values = values;
    std::vector<MemoryInfo>& memory = operands.decoder().program().memory;
    step.memory = static_cast<std::uint32_t>(memory.size());
    memory.push_back(info);
    return DecodeParameter(operands, step, load, address, register_bytes, bytes);
  }
  MemoryInfo& info = DecodeAccess(operands, step, address_index, bytes,
                                  load ? MemoryInfo::Kind::kLoad : MemoryInfo::Kind::kStore);
  // Only the address of a parameter is a part of the instruction, if the code tells it.
  const bool of_parameter = operands.decoder().IsKnownAddress(address) &&
                            operands.modifiers().space == ptx::Space::kParam;
  if (of_parameter) info.counting = Counting::kOperand;
  info.values = values;
  info.elements = static_cast<std::uint32_t>(count);
  info.register_bytes = register_bytes;
  const auto instance = [load]<class T, class R, int n>() {
    return load ? &Load<T, R, n> : &Store<T, R, n>;
  };
  return OnElements(operands, register_bytes, instance);
}

// Counts a hint about caches. It moves no value, and caches are not modelled.
void GiveHint(std::byte*, const Step& step, LaneMask, Warp& warp) {
  ++warp.running.sites[step.memory].Of(TallyOf::kOther).requests;
}

StepFunction DecodeHint(Operands& operands, Step& step) {
  DecodeAccess(operands, step, 0, 1, MemoryInfo::Kind::kLoad).counting = Counting::kHint;
  return &GiveHint;
}

}  // namespace

StepFunction DecodePrefetch(Operands& operands, Step& step) { return DecodeHint(operands, step); }
StepFunction DecodePrefetchu(Operands& operands, Step& step) { return DecodeHint(operands, step); }
StepFunction DecodeDiscard(Operands& operands, Step& step) { return DecodeHint(operands, step); }
StepFunction DecodeApplypriority(Operands& operands, Step& step) {
  return DecodeHint(operands, step);
}
StepFunction DecodeCpAsyncBulkPrefetch(Operands& operands, Step& step) {
  return DecodeHint(operands, step);
}
StepFunction DecodeLd(Operands& operands, Step& step) { return Decode(operands, step, true); }
StepFunction DecodeLdu(Operands& operands, Step& step) { return Decode(operands, step, true); }
StepFunction DecodeSt(Operands& operands, Step& step) { return Decode(operands, step, false); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA

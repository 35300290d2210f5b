// Loads and stores of .param variables (PTX ISA, "Parameter State Space").
#include <cstring>

#include "emulator/access/lane_memory.h"
#include "emulator/code/decoder.h"
#include "emulator/core/launch.h"
#include "emulator/instructions/instructions.h"

namespace warpcheck::emulator::WARPCHECK_ISA {
namespace {

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

}  // namespace

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
    return OnElements(
        []<class T, class R, int n>() -> StepFunction { return &LoadKernelParameter<T, R, n>; },
        operands.type(), count, register_bytes);
  }
  const ParamArea area = decoder.Area(address.symbol);
  step.a = area.slot;
  step.b = area.stride;
  step.data = offset;
  if (load) {
    return OnElements([]<class T, class R, int n>() -> StepFunction { return &LoadArea<T, R, n>; },
                      operands.type(), count, register_bytes);
  }
  return OnElements([]<class T, class R, int n>() -> StepFunction { return &StoreArea<T, R, n>; },
                    operands.type(), count, register_bytes);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

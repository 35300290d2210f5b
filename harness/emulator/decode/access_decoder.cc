#include "emulator/decode/access_decoder.h"

#include "emulator/decode/decoder.h"

namespace warpcheck::emulator {
namespace {

MemoryOrder OrderOf(const ptx::Modifiers& modifiers, MemoryInfo::Kind kind) {
  const ptx::Suffixes& suffixes = modifiers.suffixes;
  if (modifiers.volatile_access) return MemoryOrder::kVolatile;
  if (suffixes.Has("acquire")) return MemoryOrder::kAcquire;
  if (suffixes.Has("release")) return MemoryOrder::kRelease;
  if (suffixes.Has("acq_rel")) return MemoryOrder::kAcquireRelease;
  const bool atomic = kind == MemoryInfo::Kind::kAtomic || kind == MemoryInfo::Kind::kReduction;
  return atomic || suffixes.Has("relaxed") ? MemoryOrder::kRelaxed : MemoryOrder::kWeak;
}

}  // namespace

MemoryScope ScopeOf(const ptx::Suffixes& suffixes) {
  // A block is a cluster of one.
  if (suffixes.Has("cta") || suffixes.Has("cluster")) return MemoryScope::kBlock;
  return suffixes.Has("sys") ? MemoryScope::kSystem : MemoryScope::kDevice;
}

MemoryInfo& DecodeAccess(Operands& operands, Step& step, std::size_t index, std::uint32_t bytes,
                         MemoryInfo::Kind kind) {
  const ptx::Operand& address = operands[index];
  MemoryInfo info;
  info.kind = kind;
  info.space = operands.modifiers().space;
  info.instruction = step.index;
  info.bytes = bytes;
  info.order = OrderOf(operands.modifiers(), kind);
  info.scope = ScopeOf(operands.modifiers().suffixes);
  FunctionDecoder& decoder = operands.decoder();
  info.shared = decoder.SharedRangeOf(address);
  switch (address.base) {
    case ptx::AddressBase::kRegister:
      info.address_bytes = decoder.RegisterBytes(address.reg);
      step.a = decoder.RegisterSlot(address.reg);
      step.data = static_cast<std::uint64_t>(address.offset);
      break;
    case ptx::AddressBase::kSymbol:
      step.a = decoder.SymbolAddress(address.symbol, address.offset, 8);
      break;
    case ptx::AddressBase::kNone:
      step.a = decoder.Constant(static_cast<std::uint64_t>(address.offset), 8);
      break;
  }
  std::vector<MemoryInfo>& memory = decoder.program().memory;
  step.memory = static_cast<std::uint32_t>(memory.size());
  memory.push_back(info);
  return memory.back();
}

}  // namespace warpcheck::emulator

#include "emulator/checkers/races/report/code_place.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace warpcheck::emulator {
namespace {

const ptx::Operand* AddressIn(const ptx::Instruction& instruction) {
  const auto found =
      std::ranges::find(instruction.operands, ptx::OperandKind::kAddress, &ptx::Operand::kind);
  return found == instruction.operands.end() ? nullptr : &*found;
}

// Returns the variable whose address is moved to the register, if the register gets no other value.
std::optional<ptx::SymbolId> VariableIn(const Program& program, ptx::RegisterId reg) {
  std::optional<ptx::SymbolId> variable;
  for (const ptx::Instruction& one : program.function->body) {
    for (std::size_t i = 0; i < std::min<std::size_t>(one.destinations, one.operands.size()); ++i) {
      if (!one.operands[i].NamesRegister() || one.operands[i].reg != reg) continue;
      const bool moves = one.opcode == ptx::Opcode::kMov && one.operands.size() == 2 &&
                         one.operands[1].kind == ptx::OperandKind::kSymbol;
      if (!moves || variable || one.operands[1].offset != 0) return std::nullopt;
      variable = one.operands[1].symbol;
    }
  }
  return variable;
}

}  // namespace

CodePlace CodePlaceOf(const InstructionNumbers& numbers, const RacingAccess& access) {
  const auto [program, info] = numbers.At(access.instruction);
  return program == nullptr ? CodePlace{} : CodePlace{program, info->instruction, access.writes};
}

bool IsBarrier(const ptx::Instruction& instruction) {
  return IsOneOf(instruction.opcode, ptx::Opcode::kBar, ptx::Opcode::kBarrier);
}

bool IsFence(const ptx::Instruction& instruction) {
  return IsOneOf(instruction.opcode, ptx::Opcode::kMembar, ptx::Opcode::kFence);
}

bool IsStrong(const ptx::Instruction& instruction) {
  const ptx::Modifiers& modifiers = instruction.modifiers;
  if (modifiers.space == ptx::Space::kShared) return false;
  switch (instruction.opcode) {
    case ptx::Opcode::kAtom:
    case ptx::Opcode::kRed:
      return true;
    case ptx::Opcode::kLd:
    case ptx::Opcode::kSt:
      return modifiers.volatile_access || modifiers.suffixes.Has("relaxed") ||
             modifiers.suffixes.Has("acquire") || modifiers.suffixes.Has("release");
    default:
      return false;
  }
}

bool HasBlockScope(const ptx::Instruction& instruction) {
  const ptx::Suffixes& suffixes = instruction.modifiers.suffixes;
  return suffixes.Has("cta") || suffixes.Has("cluster");
}

bool Releases(const ptx::Instruction& instruction) {
  const ptx::Suffixes& suffixes = instruction.modifiers.suffixes;
  return suffixes.Has("release") || suffixes.Has("acq_rel");
}

bool Acquires(const ptx::Instruction& instruction) {
  const ptx::Suffixes& suffixes = instruction.modifiers.suffixes;
  return suffixes.Has("acquire") || suffixes.Has("acq_rel");
}

bool SameAddress(const Program& program, const ptx::Instruction& a, const ptx::Instruction& b) {
  const ptx::Operand* one = AddressIn(a);
  const ptx::Operand* other = AddressIn(b);
  if (one == nullptr || other == nullptr || one->offset != other->offset) return false;
  if (one->base == other->base) return one->reg == other->reg && one->symbol == other->symbol;
  if (one->base == ptx::AddressBase::kSymbol) std::swap(one, other);
  if (one->base != ptx::AddressBase::kRegister || other->base != ptx::AddressBase::kSymbol) {
    return false;
  }
  return VariableIn(program, one->reg) == other->symbol;
}

}  // namespace warpcheck::emulator

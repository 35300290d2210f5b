#include "emulator/checkers/races/report/code_place.h"

#include <algorithm>

namespace warpcheck::emulator {
namespace {

const ptx::Operand* AddressIn(const ptx::Instruction& instruction) {
  const auto found =
      std::ranges::find(instruction.operands, ptx::OperandKind::kAddress, &ptx::Operand::kind);
  return found == instruction.operands.end() ? nullptr : &*found;
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

bool SameAddress(const ptx::Instruction& a, const ptx::Instruction& b) {
  const ptx::Operand* one = AddressIn(a);
  const ptx::Operand* other = AddressIn(b);
  return one != nullptr && other != nullptr && one->base == other->base && one->reg == other->reg &&
         one->symbol == other->symbol && one->offset == other->offset;
}

}  // namespace warpcheck::emulator

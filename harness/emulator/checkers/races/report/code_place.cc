#include "emulator/checkers/races/report/code_place.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ptx/analysis/branches.h"

namespace warpcheck::emulator {
namespace {

const ptx::Operand* AddressIn(const ptx::Instruction& instruction) {
  const auto found =
      std::ranges::find(instruction.operands, ptx::OperandKind::kAddress, &ptx::Operand::kind);
  return found == instruction.operands.end() ? nullptr : &*found;
}

// An address as a register or a variable, and bytes behind it.
struct Place {
  ptx::AddressBase base = ptx::AddressBase::kNone;
  ptx::RegisterId reg = 0;
  ptx::SymbolId symbol = 0;
  std::int64_t offset = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// Returns the instruction that gives the register its value; null if there is not just one.
const ptx::Instruction* SourceOf(const Program& program, ptx::RegisterId reg) {
  const ptx::Instruction* source = nullptr;
  for (const ptx::Instruction& one : program.function->body) {
    for (std::size_t i = 0; i < std::min<std::size_t>(one.destinations, one.operands.size()); ++i) {
      if (!one.operands[i].NamesRegister() || one.operands[i].reg != reg) continue;
      if (source != nullptr) return nullptr;
      source = &one;
    }
  }
  return source;
}

// Takes one step towards where the register of `place` comes from: a copy of another register, one
// with a constant added, or the address of a variable. Returns false if it comes from elsewhere.
bool StepBack(const Program& program, Place& place) {
  if (place.base != ptx::AddressBase::kRegister) return false;
  const ptx::Instruction* const source = SourceOf(program, place.reg);
  if (source == nullptr || source->operands.size() < 2) return false;
  const ptx::Operand& from = source->operands[1];
  if (source->opcode == ptx::Opcode::kMov && from.kind == ptx::OperandKind::kSymbol) {
    place.base = ptx::AddressBase::kSymbol;
    place.reg = 0;
    place.symbol = from.symbol;
    place.offset += from.offset;
    return true;
  }
  if (from.kind != ptx::OperandKind::kRegister) return false;
  const bool adds = source->opcode == ptx::Opcode::kAdd && source->operands.size() == 3 &&
                    source->operands[2].kind == ptx::OperandKind::kImmediate;
  if (!adds && !IsOneOf(source->opcode, ptx::Opcode::kMov, ptx::Opcode::kCvta)) return false;
  if (adds) place.offset += static_cast<std::int64_t>(source->operands[2].bits);
  place.reg = from.reg;
  return true;
}

Place PlaceIn(const Program& program, const ptx::Operand& address) {
  constexpr int kMostCopies = 8;
  Place place{.base = address.base, .reg = 0, .symbol = 0, .offset = address.offset};
  if (address.base == ptx::AddressBase::kRegister) place.reg = address.reg;
  if (address.base == ptx::AddressBase::kSymbol) place.symbol = address.symbol;
  for (int step = 0; step < kMostCopies && StepBack(program, place); ++step) {
  }
  return place;
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

std::optional<Loop> LoopAround(const Program& program, std::uint32_t first, std::uint32_t second) {
  const auto& body = program.function->body;
  std::optional<Loop> smallest;
  for (std::uint32_t i = second; i < body.size(); ++i) {
    if (!ptx::IsBranch(body[i].opcode)) continue;
    for (const std::uint32_t target : ptx::BranchTargets(body[i])) {
      const bool smaller = !smallest || i - target < smallest->last - smallest->first;
      if (target <= first && smaller) smallest = Loop{target, i};
    }
  }
  return smallest;
}

bool IsVerifiedByCas(const CodePlace& load) {
  constexpr std::size_t kCompared = 2;  // which operand of the atomic
  if (load.program == nullptr) return false;
  if (!IsOneOf(load.instruction().opcode, ptx::Opcode::kLd, ptx::Opcode::kAtom)) return false;
  const ptx::Instruction& first = load.instruction();
  if (first.operands.empty() || first.operands[0].kind != ptx::OperandKind::kRegister) return false;
  const auto& body = load.program->function->body;
  std::vector<ptx::RegisterId> values = {first.operands[0].reg};  // that may be the loaded one
  const auto end = std::min<std::size_t>(body.size(), load.index + std::size_t{kFarBack});
  for (std::size_t i = load.index + 1; i < end; ++i) {
    const ptx::Instruction& one = body[i];
    const auto has_value = [&](std::size_t operand) {
      return operand < one.operands.size() &&
             one.operands[operand].kind == ptx::OperandKind::kRegister &&
             std::ranges::find(values, one.operands[operand].reg) != values.end();
    };
    if (one.opcode == ptx::Opcode::kMov && has_value(1)) values.push_back(one.operands[0].reg);
    if (one.opcode == ptx::Opcode::kAtom && one.modifiers.atomic == ptx::Atomic::kCas &&
        has_value(kCompared) && SameAddress(*load.program, first, one)) {
      return true;
    }
  }
  return false;
}

bool SameAddress(const Program& program, const ptx::Instruction& a, const ptx::Instruction& b) {
  const ptx::Operand* one = AddressIn(a);
  const ptx::Operand* other = AddressIn(b);
  return one != nullptr && other != nullptr && PlaceIn(program, *one) == PlaceIn(program, *other);
}

}  // namespace warpcheck::emulator

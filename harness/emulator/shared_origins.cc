#include <algorithm>
#include <iterator>

#include "emulator/liveness.h"
#include "emulator/shared_variables.h"

namespace warpcheck::emulator {
namespace {

// Real code needs three or four passes; what needs more is written to keep us busy.
constexpr int kMostPasses = 64;
constexpr std::size_t kMostVariables = 16;
constexpr std::uint64_t kStepsOfAVisit = 20;

// Results that come from memory, whatever the address.
bool Loads(ptx::Opcode opcode) {
  using ptx::Opcode;
  switch (opcode) {
    case Opcode::kLd:
    case Opcode::kLdu:
    case Opcode::kAtom:
    case Opcode::kTex:
    case Opcode::kSuld:
    case Opcode::kLdmatrix:
    case Opcode::kWmmaLoad:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Of a register that has either value.
SharedOrigins::Origin SharedOrigins::Either(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Kind::kUnset || a == b) return b;
  if (b.kind == Origin::Kind::kUnset) return a;
  if (a.kind != b.kind || a.kind == Origin::Kind::kAnything) return {Origin::Kind::kAnything, {}};
  Origin both{a.kind, {}};
  std::ranges::set_union(a.variables, b.variables, std::back_inserter(both.variables));
  if (both.variables.size() > kMostVariables) return {Origin::Kind::kAnything, {}};
  return both;
}

// An address and a number are an address of the same variable.
SharedOrigins::Origin SharedOrigins::Sum(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Kind::kUnset || b.kind == Origin::Kind::kUnset) return {};
  if (a.kind == Origin::Kind::kValue) return b;
  if (b.kind == Origin::Kind::kValue) return a;
  return {Origin::Kind::kAnything, {}};
}

SharedOrigins::Origin SharedOrigins::OfOperand(const ptx::Operand& operand) const {
  switch (operand.kind) {
    case ptx::OperandKind::kRegister:
      return registers_[operand.reg];
    case ptx::OperandKind::kSymbol:
      if (module_.symbols[operand.symbol].space != ptx::Space::kShared) break;
      return {Origin::Kind::kVariables, {operand.symbol}};
    case ptx::OperandKind::kVector: {
      Origin parts{Origin::Kind::kValue, {}};
      for (const ptx::Operand& element : operand.elements) parts = Sum(parts, OfOperand(element));
      return parts;
    }
    default:
      break;
  }
  return {Origin::Kind::kValue, {}};
}

SharedOrigins::Origin SharedOrigins::OfResult(const ptx::Instruction& instruction) const {
  using ptx::Opcode;
  if (Loads(instruction.opcode)) return {Origin::Kind::kValue, {}};
  const auto source = [&](std::size_t i) { return OfOperand(instruction.operands[i]); };
  switch (instruction.opcode) {
    case Opcode::kMov:
      return instruction.operands[0].kind == ptx::OperandKind::kVector ? OfOther(instruction)
                                                                       : source(1);
    case Opcode::kCvt:
    case Opcode::kCvta:
      return source(1);
    case Opcode::kAdd:
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor:
      return Sum(source(1), source(2));
    case Opcode::kSub:
      if (source(2).kind != Origin::Kind::kValue) return OfOther(instruction);
      return source(1);
    case Opcode::kMad:
      if (source(1).kind != Origin::Kind::kValue || source(2).kind != Origin::Kind::kValue) {
        return OfOther(instruction);
      }
      return source(3);
    case Opcode::kSelp:
      return Either(source(1), source(2));
    default:
      return OfOther(instruction);
  }
}

// Of what makes no address of its sources, as far as one knows.
SharedOrigins::Origin SharedOrigins::OfOther(const ptx::Instruction& instruction) const {
  Origin::Kind result = Origin::Kind::kValue;
  for (std::size_t i = DestinationCount(instruction); i < instruction.operands.size(); ++i) {
    const Origin::Kind kind = OfOperand(instruction.operands[i]).kind;
    if (kind == Origin::Kind::kUnset) return {};
    if (kind != Origin::Kind::kValue) result = Origin::Kind::kAnything;
  }
  return {result, {}};
}

// True where a register has now more than it had.
bool SharedOrigins::Visit(const ptx::Instruction& instruction) {
  const bool call = instruction.opcode == ptx::Opcode::kCall;
  const std::size_t count =
      std::min(call ? 1 : DestinationCount(instruction), instruction.operands.size());
  if (count == 0) return false;
  const Origin result = call ? Origin{Origin::Kind::kValue, {}} : OfResult(instruction);
  bool changed = false;
  const auto write = [&](const ptx::Operand& to) {
    if (to.kind != ptx::OperandKind::kRegister) return;
    Origin joined = Either(registers_[to.reg], result);
    if (joined == registers_[to.reg]) return;
    registers_[to.reg] = std::move(joined);
    changed = true;
  };
  for (std::size_t i = 0; i < count; ++i) {
    write(instruction.operands[i]);
    for (const ptx::Operand& element : instruction.operands[i].elements) write(element);
  }
  return changed;
}

bool SharedOrigins::Find(const ptx::Function& function, Preparation& preparation) {
  const auto names_shared = [this](const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::kSymbol &&
           module_.symbols[operand.symbol].space == ptx::Space::kShared;
  };
  const bool any = std::ranges::any_of(function.body, [&](const ptx::Instruction& instruction) {
    return std::ranges::any_of(instruction.operands, names_shared);
  });
  if (!any) return true;
  registers_.resize(function.registers.size());
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!preparation.Spend(kStepsOfAVisit * function.body.size())) return false;
    bool changed = false;
    for (const ptx::Instruction& instruction : function.body) {
      changed = Visit(instruction) || changed;
    }
    if (!changed) return true;
  }
  registers_.clear();  // not all is known: nothing is told
  return true;
}

const std::vector<ptx::SymbolId>& SharedOrigins::Of(ptx::RegisterId reg) const {
  static const std::vector<ptx::SymbolId> kNone;
  return reg < registers_.size() ? registers_[reg].variables : kNone;
}

}  // namespace warpcheck::emulator

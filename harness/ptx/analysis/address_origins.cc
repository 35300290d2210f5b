#include "ptx/analysis/address_origins.h"

#include <algorithm>
#include <iterator>

namespace warpcheck::ptx {
namespace {

// Real code needs three or four passes. Code that needs more was made to waste time.
constexpr int kMostPasses = 64;
constexpr std::size_t kMostSymbols = 16;
constexpr std::uint64_t kStepsOfAVisit = 20;

// Returns true for instructions whose results come from memory, whatever the address.
bool Loads(Opcode opcode) {
  constexpr Opcode kLoads[] = {Opcode::kLd,   Opcode::kLdu,      Opcode::kAtom,    Opcode::kTex,
                               Opcode::kSuld, Opcode::kLdmatrix, Opcode::kWmmaLoad};
  return std::ranges::find(kLoads, opcode) != std::end(kLoads);
}

}  // namespace

// Returns the origin of a register that has one of two values.
AddressOrigins::Origin AddressOrigins::Either(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Kind::kUnset || a == b) return b;
  if (b.kind == Origin::Kind::kUnset) return a;
  if (a.kind != b.kind || a.kind == Origin::Kind::kAnything) return {Origin::Kind::kAnything, {}};
  Origin both{a.kind, {}};
  std::ranges::set_union(a.symbols, b.symbols, std::back_inserter(both.symbols));
  if (both.symbols.size() > kMostSymbols) return {Origin::Kind::kAnything, {}};
  return both;
}

// Returns the origin of a sum. The sum of an address and a number is an address of the same symbol.
AddressOrigins::Origin AddressOrigins::Sum(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Kind::kUnset || b.kind == Origin::Kind::kUnset) return {};
  if (a.kind == Origin::Kind::kValue) return b;
  if (b.kind == Origin::Kind::kValue) return a;
  return {Origin::Kind::kAnything, {}};
}

AddressOrigins::Origin AddressOrigins::OfSymbol(SymbolId symbol) const {
  if (!counts_(module_.symbols[symbol])) return {Origin::Kind::kValue, {}};
  return {Origin::Kind::kSymbols, {symbol}};
}

AddressOrigins::Origin AddressOrigins::OfOperand(const Operand& operand) const {
  switch (operand.kind) {
    case OperandKind::kRegister:
      return registers_[operand.reg];
    case OperandKind::kSymbol:
      return OfSymbol(operand.symbol);
    case OperandKind::kVector: {
      Origin parts{Origin::Kind::kValue, {}};
      for (const Operand& element : operand.elements) parts = Sum(parts, OfOperand(element));
      return parts;
    }
    default:
      return {Origin::Kind::kValue, {}};
  }
}

// Returns the origin of a loaded value. A parameter of the kernel that counts_ accepts contains an
// address.
AddressOrigins::Origin AddressOrigins::OfLoad(const Instruction& instruction) const {
  const Operand& address = instruction.operands.back();
  const bool parameter = instruction.modifiers.space == Space::kParam &&
                         address.kind == OperandKind::kAddress &&
                         address.base == AddressBase::kSymbol && address.offset == 0;
  return parameter ? OfSymbol(address.symbol) : Origin{Origin::Kind::kValue, {}};
}

AddressOrigins::Origin AddressOrigins::OfResult(const Instruction& instruction) const {
  if (Loads(instruction.opcode)) return OfLoad(instruction);
  const auto source = [&](std::size_t i) { return OfOperand(instruction.operands[i]); };
  switch (instruction.opcode) {
    case Opcode::kMov:
      return instruction.operands[0].kind == OperandKind::kVector ? OfOther(instruction)
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

// Returns the origin of a result that is not known to be an address.
AddressOrigins::Origin AddressOrigins::OfOther(const Instruction& instruction) const {
  Origin::Kind result = Origin::Kind::kValue;
  for (std::size_t i = instruction.destinations; i < instruction.operands.size(); ++i) {
    const Origin::Kind kind = OfOperand(instruction.operands[i]).kind;
    if (kind == Origin::Kind::kUnset) return {};
    if (kind != Origin::Kind::kValue) result = Origin::Kind::kAnything;
  }
  return {result, {}};
}

// Adds the result of an instruction to its registers. Returns true if the origin of a register has
// changed.
bool AddressOrigins::Visit(const Instruction& instruction) {
  const bool call = instruction.opcode == Opcode::kCall;
  const std::size_t count =
      call ? std::min<std::size_t>(1, instruction.operands.size()) : instruction.destinations;
  if (count == 0) return false;
  const Origin result = call ? Origin{Origin::Kind::kValue, {}} : OfResult(instruction);
  bool changed = false;
  const auto write = [&](const Operand& to) {
    if (to.kind != OperandKind::kRegister) return;
    Origin joined = Either(registers_[to.reg], result);
    if (joined == registers_[to.reg]) return;
    registers_[to.reg] = std::move(joined);
    changed = true;
  };
  for (std::size_t i = 0; i < count; ++i) {
    write(instruction.operands[i]);
    for (const Operand& element : instruction.operands[i].elements) write(element);
  }
  return changed;
}

bool AddressOrigins::Find(const Function& function, WorkBudget& budget) {
  const auto counts = [this](const Operand& operand) {
    return operand.NamesSymbol() && counts_(module_.symbols[operand.symbol]);
  };
  const bool any = std::ranges::any_of(function.body, [&](const Instruction& instruction) {
    return std::ranges::any_of(instruction.operands, counts);
  });
  if (!any) return true;
  registers_.resize(function.registers.size());
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!budget.Spend(kStepsOfAVisit * function.body.size())) return false;
    bool changed = false;
    for (const Instruction& instruction : function.body) {
      changed = Visit(instruction) || changed;
    }
    if (!changed) return true;
  }
  registers_.clear();  // incomplete results must not be used
  return true;
}

const std::vector<SymbolId>& AddressOrigins::Of(RegisterId reg) const {
  static const std::vector<SymbolId> kNone;
  return reg < registers_.size() ? registers_[reg].symbols : kNone;
}

}  // namespace warpcheck::ptx

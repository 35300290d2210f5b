#include "experiments/site.h"

#include <algorithm>

#include "base/record.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::experiments {
namespace {

bool IsThreadsPlace(ptx::SpecialRegister special) {
  return special <= ptx::SpecialRegister::kNtidZ ||
         (special >= ptx::SpecialRegister::kCtaidX && special <= ptx::SpecialRegister::kNctaidZ);
}

bool IsInt32(ptx::Type type) {
  return type == ptx::Type::kU32 || type == ptx::Type::kS32 || type == ptx::Type::kB32;
}

bool IsInteger64(ptx::Type type) {
  return type == ptx::Type::kU64 || type == ptx::Type::kS64 || type == ptx::Type::kB64;
}

// Returns the meaning of what an instruction writes, if all that it reads has one.
std::optional<Meaning> MeaningOf(const ptx::Function& function, std::uint32_t at,
                                 const Meanings& known) {
  using ptx::Opcode;
  const ptx::Instruction& one = function.body[at];
  if (one.guard) return std::nullopt;
  const bool is_wide = IsInteger64(one.modifiers.type);
  if (!is_wide && !IsInt32(one.modifiers.type)) return std::nullopt;
  if (one.opcode == Opcode::kLd) {
    const ptx::Operand& from = one.operands[1];
    if (one.modifiers.space != ptx::Space::kParam || !from.NamesSymbol()) return std::nullopt;
    const auto found = std::ranges::find(function.parameters, from.symbol);
    if (found == function.parameters.end() || from.offset != 0) return std::nullopt;
    return Meaning{.of = Meaning::Of::kParameter,
                   .number = static_cast<std::uint32_t>(found - function.parameters.begin()),
                   .bytes = is_wide ? 8U : 4U};
  }
  if (is_wide) return std::nullopt;
  if (!IsOneOf(one.opcode, Opcode::kMov, Opcode::kAdd, Opcode::kSub, Opcode::kMul, Opcode::kMad,
               Opcode::kShl, Opcode::kShr, Opcode::kAnd, Opcode::kDiv, Opcode::kRem)) {
    return std::nullopt;
  }
  bool reads_any = false;
  bool of_thread = false;
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    const ptx::Operand& operand = one.operands[i];
    if (operand.kind == ptx::OperandKind::kImmediate) continue;
    if (operand.kind == ptx::OperandKind::kSpecial && IsThreadsPlace(operand.special)) {
      reads_any = of_thread = true;
      continue;
    }
    if (operand.kind != ptx::OperandKind::kRegister || !known[operand.reg]) return std::nullopt;
    if (known[operand.reg]->bytes != 4) return std::nullopt;
    reads_any = true;
    of_thread = of_thread || known[operand.reg]->of_thread;
  }
  if (!reads_any) return std::nullopt;
  return Meaning{.of = Meaning::Of::kPlace, .number = at, .of_thread = of_thread};
}

}  // namespace

Meanings MeaningsOf(const ptx::Function& function) {
  std::vector<std::uint32_t> writes(function.registers.size());
  for (const ptx::Instruction& one : function.body) {
    ptx::EachWrite(one, [&](ptx::RegisterId reg) { ++writes[reg]; });
  }
  Meanings meanings(function.registers.size());
  for (std::uint32_t at = 0; at < function.body.size(); ++at) {
    const ptx::Instruction& one = function.body[at];
    if (one.destinations != 1 || one.operands.front().kind != ptx::OperandKind::kRegister) continue;
    const ptx::RegisterId reg = one.operands.front().reg;
    if (writes[reg] == 1) meanings[reg] = MeaningOf(function, at, meanings);
  }
  return meanings;
}

std::vector<bool> AddressesOf(const ptx::Function& function) {
  using ptx::Opcode;
  std::vector<bool> addresses(function.registers.size());
  for (const ptx::Instruction& one : function.body) {
    for (const ptx::Operand& operand : one.operands) {
      if (operand.kind == ptx::OperandKind::kAddress && operand.NamesRegister()) {
        addresses[operand.reg] = true;
      }
    }
  }
  // The code computes an address before it uses it, so that one way backwards finds the parts.
  for (auto one = function.body.rbegin(); one != function.body.rend(); ++one) {
    if (!IsOneOf(one->opcode, Opcode::kAdd, Opcode::kMov, Opcode::kCvta)) continue;
    if (ptx::Bytes(one->modifiers.type) != 8) continue;
    if (one->operands.front().kind != ptx::OperandKind::kRegister) continue;
    if (!addresses[one->operands.front().reg]) continue;
    ptx::EachRead(*one, [&](ptx::RegisterId reg) { addresses[reg] = true; });
  }
  return addresses;
}

bool Site::IsOfAnAddress() const {
  const ptx::Instruction& one = instruction();
  if (ptx::Bytes(one.modifiers.type) != 8 || ptx::IsFloat(one.modifiers.type)) return false;
  if (one.operands.empty() || one.operands.front().kind != ptx::OperandKind::kRegister) return true;
  return one.opcode == ptx::Opcode::kShl || addresses[one.operands.front().reg];
}

// It goes on with the next instruction.
ptx::Instruction Nothing(const Site& site) {
  ptx::Instruction nothing;
  nothing.opcode = ptx::Opcode::kBra;
  nothing.location = site.instruction().location;
  nothing.ptx_line = site.instruction().ptx_line;
  ptx::Operand next;
  next.kind = ptx::OperandKind::kLabel;
  next.target = site.at + 1;
  nothing.operands.push_back(next);
  return nothing;
}

}  // namespace warpcheck::experiments

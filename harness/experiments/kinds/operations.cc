// Proposes another operation on the same values: a difference for a sum, a minimum for a maximum.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/record.h"
#include "experiments/site.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::experiments {
namespace {

using ptx::Atomic;
using ptx::Opcode;

struct Exchange {
  Opcode from;
  Opcode to;
  const char* text;
};
constexpr std::array kExchanges = {
    Exchange{Opcode::kAdd, Opcode::kSub, "`-` in place of `+`"},
    Exchange{Opcode::kSub, Opcode::kAdd, "`+` in place of `-`"},
    Exchange{Opcode::kMin, Opcode::kMax, "the larger in place of the smaller one"},
    Exchange{Opcode::kMax, Opcode::kMin, "the smaller in place of the larger one"},
    Exchange{Opcode::kAnd, Opcode::kOr, "`|` in place of `&`"},
    Exchange{Opcode::kOr, Opcode::kAnd, "`&` in place of `|`"},
    Exchange{Opcode::kAdd, Opcode::kMin, "the smaller one in place of the sum"},
    Exchange{Opcode::kAdd, Opcode::kMax, "the larger one in place of the sum"},
    Exchange{Opcode::kDiv, Opcode::kRem, "`%` in place of `/`"},
    Exchange{Opcode::kRem, Opcode::kDiv, "`/` in place of `%`"},
    Exchange{Opcode::kXor, Opcode::kAdd, "`+` in place of `^`"},
};

bool HasPlainType(const ptx::Instruction& one) {
  using enum ptx::Type;
  return IsOneOf(one.modifiers.type, kU32, kS32, kB32, kU64, kS64, kB64, kF32, kF64, kPred);
}

void Exchanged(const ptx::Instruction& one, const Propose& propose) {
  for (const Exchange& exchange : kExchanges) {
    if (exchange.from != one.opcode) continue;
    const bool whole =
        exchange.to == Opcode::kRem || exchange.to == Opcode::kDiv || exchange.from == Opcode::kXor;
    if (whole && ptx::IsFloat(one.modifiers.type)) continue;
    ptx::Instruction instead = one;
    instead.opcode = exchange.to;
    if (exchange.from == Opcode::kXor) instead.modifiers.type = ptx::Type::kU32;
    if (IsOneOf(exchange.to, Opcode::kMin, Opcode::kMax)) {
      instead.modifiers.rounding = ptx::Rounding::kNone;
    }
    propose(exchange.text, std::move(instead));
  }
}

// Proposes a - b for b - a, and the like.
void Turned(const ptx::Instruction& one, const Propose& propose) {
  if (!IsOneOf(one.opcode, Opcode::kSub, Opcode::kDiv, Opcode::kRem)) return;
  ptx::Instruction instead = one;
  std::swap(instead.operands[1], instead.operands[2]);
  propose("the two operands exchanged", std::move(instead));
}

// Proposes only one of two operands.
void Halved(const ptx::Instruction& one, const Propose& propose) {
  if (!IsOneOf(one.opcode, Opcode::kAdd, Opcode::kSub, Opcode::kMul, Opcode::kMin, Opcode::kMax)) {
    return;
  }
  if (one.modifiers.part == ptx::MulPart::kWide || one.modifiers.type == ptx::Type::kPred) return;
  for (const std::size_t kept : {1, 2}) {
    ptx::Instruction instead;
    instead.opcode = Opcode::kMov;
    instead.modifiers.type = one.modifiers.type;
    instead.guard = one.guard;
    instead.operands = {one.operands[0], one.operands[kept]};
    instead.destinations = 1;
    instead.location = one.location;
    instead.ptx_line = one.ptx_line;
    propose(kept == 1 ? "the first operand alone" : "the second operand alone", std::move(instead));
  }
}

// Proposes `+=` for `=` where a value is moved to a variable that something else writes too.
void Added(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  if (one.opcode != Opcode::kMov || one.operands.size() != 2 || one.guard) return;
  if (one.operands[0].kind != ptx::OperandKind::kRegister ||
      one.operands[1].kind != ptx::OperandKind::kRegister) {
    return;
  }
  int writes = 0;
  for (const ptx::Instruction& other : site.function.body) {
    ptx::EachWrite(other, [&](ptx::RegisterId reg) { writes += reg == one.operands[0].reg; });
  }
  if (writes < 2) return;
  ptx::Instruction instead = one;
  instead.opcode = Opcode::kAdd;
  if (one.modifiers.type == ptx::Type::kB32) instead.modifiers.type = ptx::Type::kU32;
  if (one.modifiers.type == ptx::Type::kB64) instead.modifiers.type = ptx::Type::kU64;
  instead.operands = {one.operands[0], one.operands[0], one.operands[1]};
  propose("`+=` in place of `=`", std::move(instead));
}

void OtherAtomic(const ptx::Instruction& one, const Propose& propose) {
  if (!IsOneOf(one.opcode, Opcode::kAtom, Opcode::kRed)) return;
  for (const auto& [from, to] : {std::pair(Atomic::kAdd, Atomic::kMax),
                                 {Atomic::kAdd, Atomic::kMin},
                                 {Atomic::kMin, Atomic::kMax},
                                 {Atomic::kMax, Atomic::kMin}}) {
    if (one.modifiers.atomic != from || ptx::IsFloat(one.modifiers.type)) continue;
    ptx::Instruction instead = one;
    instead.modifiers.atomic = to;
    propose("another atomic operation", std::move(instead));
  }
}

}  // namespace

void ProposeOperations(const Site& site, const Propose& propose) {
  const ptx::Instruction& one = site.instruction();
  OtherAtomic(one, propose);
  if (!HasPlainType(one) || site.IsOfAnAddress()) return;
  Added(site, propose);
  Exchanged(one, propose);
  Turned(one, propose);
  Halved(one, propose);
}

}  // namespace warpcheck::experiments

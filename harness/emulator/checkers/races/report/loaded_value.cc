#include "emulator/checkers/races/report/loaded_value.h"

#include <optional>
#include <set>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

// True if an operand that the instruction reads names one of the values. Its guard is no operand.
bool UsesAnyOf(const std::set<ptx::RegisterId>& values, const ptx::Instruction& one) {
  bool uses = false;
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    ptx::EachRegister(one.operands[i],
                      [&](ptx::RegisterId reg) { uses = uses || values.contains(reg); });
  }
  return uses;
}

// True if what `load` reads is only compared, further down, with other values.
bool IsOnlyCompared(const CodePlace& load) {
  const auto& body = load.program->function->body;
  std::set<ptx::RegisterId> values;
  for (auto i = load.index; i < body.size(); ++i) {
    const bool fed = i == load.index || UsesAnyOf(values, body[i]);
    if (!fed || body[i].opcode == Opcode::kSetp) continue;
    const bool passes_on =
        IsOneOf(body[i].opcode, Opcode::kMov, Opcode::kCvt, Opcode::kAnd) || i == load.index;
    if (!passes_on) return false;
    ptx::EachWrite(body[i], [&](ptx::RegisterId reg) { values.insert(reg); });
  }
  return true;
}

// True if a branch out of the loop, or back to its start, depends on what `load` reads in it.
bool DecidesOn(const Loop& loop, const CodePlace& load) {
  constexpr int kRounds = 2;  // a value may come from the round before
  const auto& body = load.program->function->body;
  std::set<ptx::RegisterId> values;
  ptx::EachWrite(load.instruction(), [&](ptx::RegisterId reg) { values.insert(reg); });
  for (int round = 0; round < kRounds; ++round) {
    for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
      const ptx::Instruction& one = body[i];
      if (ptx::IsBranch(one.opcode)) {
        if (!one.guard || !values.contains(one.guard->predicate)) continue;
        for (const std::uint32_t target : ptx::BranchTargets(one)) {
          if (target <= loop.first || target > loop.last) return true;
        }
      } else if (UsesAnyOf(values, one)) {
        ptx::EachWrite(one, [&](ptx::RegisterId reg) { values.insert(reg); });
      }
    }
  }
  return false;
}

}  // namespace

bool IsJudgedByItself(const CodePlace& load) {
  if (load.program == nullptr) return false;
  if (IsOnlyCompared(load) || IsVerifiedByCas(load)) return true;
  const std::optional<Loop> loop = LoopAround(*load.program, load.index, load.index);
  return loop && DecidesOn(*loop, load);
}

}  // namespace warpcheck::emulator

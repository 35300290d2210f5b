// Proposes to exchange two variables in one line: rows for columns, x for y. They are exchanged in
// its comparisons, in all else, and everywhere.
#include <set>
#include <utility>

#include "experiments/site.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::experiments {
namespace {

// Returns the registers with a meaning that the instructions read.
std::set<ptx::RegisterId> ReadBy(const ptx::Function& function,
                                 const std::vector<std::uint32_t>& line, const Meanings& meanings) {
  std::set<ptx::RegisterId> read;
  for (const std::uint32_t at : line) {
    ptx::EachRead(function.body[at], [&](ptx::RegisterId reg) {
      if (meanings[reg]) read.insert(reg);
    });
  }
  return read;
}

// Exchanges two registers among the operands that the instruction reads. Returns false if it reads
// neither.
bool ExchangeRead(ptx::Instruction& one, ptx::RegisterId first, ptx::RegisterId second) {
  bool changed = false;
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    ptx::Operand& operand = one.operands[i];
    if (operand.kind != ptx::OperandKind::kRegister) continue;
    if (operand.reg != first && operand.reg != second) continue;
    operand.reg = operand.reg == first ? second : first;
    changed = true;
  }
  return changed;
}

// The instructions of a line in which two variables are exchanged.
enum class Among { kAll, kComparisons, kOthers };

bool IsAmong(const ptx::Instruction& one, Among among) {
  const bool compares = one.opcode == ptx::Opcode::kSetp;
  return among == Among::kAll || compares == (among == Among::kComparisons);
}

LineChange Exchanged(const ptx::Function& function, const std::vector<std::uint32_t>& line,
                     ptx::RegisterId first, ptx::RegisterId second, Among among) {
  LineChange change;
  for (const std::uint32_t at : line) {
    ptx::Instruction instead = function.body[at];
    if (IsAmong(instead, among) && ExchangeRead(instead, first, second)) {
      change.emplace_back(at, std::move(instead));
    }
  }
  return change;
}

}  // namespace

std::vector<LineChange> ExchangesIn(const ptx::Function& function,
                                    const std::vector<std::uint32_t>& line,
                                    const Meanings& meanings) {
  std::vector<LineChange> changes;
  const std::set<ptx::RegisterId> read = ReadBy(function, line, meanings);
  for (auto first = read.begin(); first != read.end(); ++first) {
    for (auto second = std::next(first); second != read.end(); ++second) {
      if (meanings[*first]->of != meanings[*second]->of) continue;
      if (meanings[*first]->bytes != meanings[*second]->bytes) continue;
      for (const Among among : {Among::kComparisons, Among::kOthers, Among::kAll}) {
        LineChange change = Exchanged(function, line, *first, *second, among);
        if (!change.empty()) changes.push_back(std::move(change));
      }
    }
  }
  return changes;
}

}  // namespace warpcheck::experiments

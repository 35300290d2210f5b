// Proposes to exchange two variables everywhere in one line: rows for columns, x for y.
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
bool Exchange(ptx::Instruction& one, ptx::RegisterId first, ptx::RegisterId second) {
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
      LineChange& change = changes.emplace_back();
      for (const std::uint32_t at : line) {
        ptx::Instruction instead = function.body[at];
        if (Exchange(instead, *first, *second)) change.emplace_back(at, std::move(instead));
      }
    }
  }
  return changes;
}

}  // namespace warpcheck::experiments

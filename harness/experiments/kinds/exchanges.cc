// Proposes to exchange two variables in one line, such as rows and columns, or to use another one
// in place of one. This is tried in the line's comparisons, in all else, and everywhere.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
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

// `second` is read in place of `first`, and the other way round if `both`.
struct Swap {
  ptx::RegisterId first = 0;
  ptx::RegisterId second = 0;
  bool both = false;
};

// Returns how many operands change.
int SwapRead(ptx::Instruction& one, const Swap& swap) {
  int changed = 0;
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    ptx::Operand& operand = one.operands[i];
    if (operand.kind != ptx::OperandKind::kRegister) continue;
    if (operand.reg != swap.first && (!swap.both || operand.reg != swap.second)) continue;
    operand.reg = operand.reg == swap.first ? swap.second : swap.first;
    ++changed;
  }
  return changed;
}

// Returns whether one variable can stand for the other, at an instruction.
bool AreAlike(const std::optional<Meaning>& one, const std::optional<Meaning>& other,
              std::uint32_t at) {
  if (!one || !other || one->of != other->of || one->bytes != other->bytes) return false;
  const auto is_later = [&](const Meaning& it) {
    return it.of == Meaning::Of::kPlace && it.number >= at;
  };
  return !is_later(*one) && !is_later(*other);
}

// The instructions of a line in which two variables are exchanged.
enum class Among { kAll, kComparisons, kOthers };

bool IsAmong(const ptx::Instruction& one, Among among) {
  const bool compares = one.opcode == ptx::Opcode::kSetp;
  return among == Among::kAll || compares == (among == Among::kComparisons);
}

// Adds the changes in the line's comparisons, in all else, and everywhere, each once. Leaves out a
// change of a single operand, which ProposeVariables proposes.
void AddOfAll(const ptx::Function& function, const std::vector<std::uint32_t>& line,
              const Swap& swap, std::vector<LineChange>& changes) {
  std::size_t largest = 0;  // of the changes so far
  for (const Among among : {Among::kComparisons, Among::kOthers, Among::kAll}) {
    LineChange change;
    int operands = 0;
    for (const std::uint32_t at : line) {
      ptx::Instruction instead = function.body[at];
      const int changed = IsAmong(instead, among) ? SwapRead(instead, swap) : 0;
      if (changed != 0) change.emplace_back(at, std::move(instead));
      operands += changed;
    }
    const bool is_of_all = among == Among::kAll && change.size() == largest;
    largest = std::max(largest, change.size());
    if (operands > 1 && !is_of_all) changes.push_back(std::move(change));
  }
}

}  // namespace

std::vector<LineChange> ExchangesIn(const ptx::Function& function,
                                    const std::vector<std::uint32_t>& line,
                                    const Meanings& meanings) {
  std::vector<LineChange> changes;
  const std::set<ptx::RegisterId> read = ReadBy(function, line, meanings);
  for (auto first = read.begin(); first != read.end(); ++first) {
    for (auto second = std::next(first); second != read.end(); ++second) {
      if (!AreAlike(meanings[*first], meanings[*second], line.front())) continue;
      AddOfAll(function, line, {.first = *first, .second = *second, .both = true}, changes);
    }
  }
  return changes;
}

std::vector<LineChange> ReplacementsIn(const ptx::Function& function,
                                       const std::vector<std::uint32_t>& line,
                                       const Meanings& meanings) {
  std::vector<LineChange> changes;
  for (const ptx::RegisterId first : ReadBy(function, line, meanings)) {
    for (ptx::RegisterId second = 0; second < meanings.size(); ++second) {
      if (second == first || !AreAlike(meanings[first], meanings[second], line.front())) continue;
      AddOfAll(function, line, {.first = first, .second = second, .both = false}, changes);
    }
  }
  return changes;
}

}  // namespace warpcheck::experiments

// Proposes to exchange two variables in one line, such as rows and columns, or to use another one
// in place of one. This is tried in the line's comparisons, in all else, and everywhere.
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

// Returns false if the instruction reads none of them.
bool SwapRead(ptx::Instruction& one, const Swap& swap) {
  bool changed = false;
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    ptx::Operand& operand = one.operands[i];
    if (operand.kind != ptx::OperandKind::kRegister) continue;
    if (operand.reg != swap.first && (!swap.both || operand.reg != swap.second)) continue;
    operand.reg = operand.reg == swap.first ? swap.second : swap.first;
    changed = true;
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

// Adds the changes in the line's comparisons, in all else, and everywhere.
void AddOfAll(const ptx::Function& function, const std::vector<std::uint32_t>& line,
              const Swap& swap, std::vector<LineChange>& changes) {
  for (const Among among : {Among::kComparisons, Among::kOthers, Among::kAll}) {
    LineChange change;
    for (const std::uint32_t at : line) {
      ptx::Instruction instead = function.body[at];
      if (IsAmong(instead, among) && SwapRead(instead, swap)) {
        change.emplace_back(at, std::move(instead));
      }
    }
    if (!change.empty()) changes.push_back(std::move(change));
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

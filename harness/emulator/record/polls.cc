#include "emulator/record/polls.h"

#include <set>

#include "emulator/decode/spin_loops.h"
#include "ptx/analysis/branches.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::emulator {
namespace {

using Registers = std::set<ptx::RegisterId>;

// The instructions [begin, end) of a loop that waits. The last one is the branch back.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

// Loops with more instructions do more than wait, and are not looked at.
constexpr std::uint32_t kMostInLoop = 256;

bool ReadsAny(const ptx::Instruction& one, const Registers& registers) {
  bool reads = false;
  ptx::EachRead(one, [&](ptx::RegisterId reg) { reads = reads || registers.contains(reg); });
  return reads;
}

// Returns the registers that get their values, in any round, from what the instruction `poll`
// reads.
Registers FedBy(const ptx::Function& function, const Range& loop, std::uint32_t poll) {
  Registers fed;
  for (std::size_t before = ~std::size_t{0}; before != fed.size();) {
    before = fed.size();
    for (std::uint32_t i = loop.begin; i < loop.end; ++i) {
      const ptx::Instruction& one = function.body[i];
      if (i != poll && !ReadsAny(one, fed)) continue;
      ptx::EachWrite(one, [&](ptx::RegisterId reg) { fed.insert(reg); });
    }
  }
  return fed;
}

Registers WrittenIn(const ptx::Function& function, const Range& loop) {
  Registers written;
  for (std::uint32_t i = loop.begin; i < loop.end; ++i) {
    ptx::EachWrite(function.body[i], [&](ptx::RegisterId reg) { written.insert(reg); });
  }
  return written;
}

// Returns whether a branch out of the loop, or the branch back, depends on one of the registers.
bool DecideTheEnd(const ptx::Function& function, const Range& loop, const Registers& registers) {
  for (std::uint32_t i = loop.begin; i < loop.end; ++i) {
    const ptx::Instruction& one = function.body[i];
    if (!ptx::LeavesHere(one.opcode) || !one.guard) continue;
    bool leaves = i + 1 == loop.end || !ptx::IsBranch(one.opcode);
    if (ptx::IsBranch(one.opcode)) {
      for (const std::uint32_t target : ptx::BranchTargets(one)) {
        leaves = leaves || target < loop.begin || target >= loop.end;
      }
    }
    if (leaves && registers.contains(one.guard->predicate)) return true;
  }
  return false;
}

// Returns whether the instruction reads the same place in each round.
bool HasFixedAddress(const ptx::Instruction& one, const Registers& written) {
  bool fixed = true;
  for (const ptx::Operand& operand : one.operands) {
    if (operand.kind != ptx::OperandKind::kAddress) continue;
    ptx::EachRegister(operand,
                      [&](ptx::RegisterId reg) { fixed = fixed && !written.contains(reg); });
  }
  return fixed;
}

}  // namespace

std::vector<bool> PollsOf(const Program& program) {
  const ptx::Function& function = *program.function;
  std::vector<bool> polls(function.body.size());
  for (const CodeBlock& latch : program.blocks) {
    if (latch.ending != Ending::kSpin) continue;
    const std::uint32_t target = function.body[latch.last].operands[0].target;
    const Range loop{.begin = target, .end = latch.last + 1};
    if (loop.end - loop.begin > kMostInLoop) continue;
    const Registers written = WrittenIn(function, loop);
    for (std::uint32_t i = loop.begin; i < loop.end; ++i) {
      const ptx::Instruction& one = function.body[i];
      if (!MayPoll(one) || !HasFixedAddress(one, written)) continue;
      const Registers fed = FedBy(function, loop, i);
      const bool changes = IsOneOf(one.opcode, ptx::Opcode::kAtom) && ReadsAny(one, fed);
      if (!changes && DecideTheEnd(function, loop, fed)) polls[i] = true;
    }
  }
  return polls;
}

}  // namespace warpcheck::emulator

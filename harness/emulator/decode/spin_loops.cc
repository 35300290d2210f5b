#include "emulator/decode/spin_loops.h"

namespace warpcheck::emulator {
namespace {

// Counts how many instructions of some kinds stand before an instruction.
struct Found {
  std::uint32_t polls = 0;   // reads of values that other threads write
  std::uint32_t loads = 0;   // loads of any kind
  std::uint32_t fences = 0;  // fences; after a fence, a plain load sees values of other threads too
};

bool IsZero(const ptx::Operand& operand) {
  return operand.kind == ptx::OperandKind::kImmediate && operand.bits == 0;
}

void Add(const ptx::Instruction& instruction, Found& found) {
  const ptx::Modifiers& modifiers = instruction.modifiers;
  const ptx::Suffixes& suffixes = modifiers.suffixes;
  switch (instruction.opcode) {
    case ptx::Opcode::kLd:
      ++found.loads;
      if (modifiers.volatile_access || suffixes.Has("relaxed") || suffixes.Has("acquire")) {
        ++found.polls;
      }
      break;
    case ptx::Opcode::kAtom:
      if (modifiers.atomic == ptx::Atomic::kCas || modifiers.atomic == ptx::Atomic::kExch ||
          (instruction.operands.size() > 2 && IsZero(instruction.operands[2]))) {
        ++found.polls;
      }
      break;
    case ptx::Opcode::kMbarrierTestWait:
    case ptx::Opcode::kMbarrierTryWait:
      ++found.polls;
      break;
    case ptx::Opcode::kMembar:
    case ptx::Opcode::kFence:
      ++found.fences;
      break;
    default:
      break;
  }
}

// Returns, for each instruction and for the end of the function, what was found before it.
std::vector<Found> FoundBefore(const ptx::Function& function) {
  std::vector<Found> before(1);
  before.reserve(function.body.size() + 1);
  for (const ptx::Instruction& instruction : function.body) {
    Found found = before.back();
    Add(instruction, found);
    before.push_back(found);
  }
  return before;
}

bool Waits(const Found& begin, const Found& end) {
  return end.polls > begin.polls || (end.loads > begin.loads && end.fences > begin.fences);
}

}  // namespace

bool MayPoll(const ptx::Instruction& instruction) {
  Found found;
  Add(instruction, found);
  return found.polls > 0 || found.loads > 0;
}

void MarkSpinLoops(const ptx::Function& function, const std::vector<BlockId>& block_at,
                   std::vector<CodeBlock>& blocks) {
  const std::vector<Found> before = FoundBefore(function);
  for (CodeBlock& latch : blocks) {
    if (latch.ending != Ending::kBra) continue;
    const std::uint32_t target = function.body[latch.last].operands[0].target;
    if (target > latch.last) continue;
    const std::uint32_t begin = blocks[block_at[target]].first;
    if (begin >= latch.last || !Waits(before[begin], before[latch.last])) continue;
    latch.ending = Ending::kSpin;
    for (const CodeBlock& block : blocks) {
      if (block.first >= begin && block.last <= latch.last) latch.spin_cost += block.cost;
    }
  }
}

}  // namespace warpcheck::emulator

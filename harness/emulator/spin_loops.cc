#include "emulator/spin_loops.h"

#include <algorithm>

namespace warpcheck::emulator {
namespace {

struct Found {
  bool poll = false;   // reads what others write
  bool load = false;   // of any kind
  bool fence = false;  // after which a plain load sees it too
};

bool IsZero(const ptx::Operand& operand) {
  return operand.kind == ptx::OperandKind::kImmediate && operand.bits == 0;
}

void Look(const ptx::Instruction& instruction, Found& found) {
  const ptx::Modifiers& modifiers = instruction.modifiers;
  const ptx::Suffixes& suffixes = modifiers.suffixes;
  switch (instruction.opcode) {
    case ptx::Opcode::kLd:
      found.load = true;
      found.poll = found.poll || modifiers.volatile_access || suffixes.Has("relaxed") ||
                   suffixes.Has("acquire");
      break;
    case ptx::Opcode::kAtom:
      found.poll = found.poll || modifiers.atomic == ptx::Atomic::kCas ||
                   modifiers.atomic == ptx::Atomic::kExch ||
                   (instruction.operands.size() > 2 && IsZero(instruction.operands[2]));
      break;
    case ptx::Opcode::kMbarrierTestWait:
    case ptx::Opcode::kMbarrierTryWait:
      found.poll = true;
      break;
    case ptx::Opcode::kMembar:
    case ptx::Opcode::kFence:
      found.fence = true;
      break;
    default:
      break;
  }
}

bool Waits(const ptx::Function& function, std::uint32_t begin, std::uint32_t end) {
  Found found;
  for (std::uint32_t i = begin; i < end; ++i) Look(function.body[i], found);
  return found.poll || (found.load && found.fence);
}

}  // namespace

void MarkSpinLoops(const ptx::Function& function, const std::vector<BlockId>& block_at,
                   std::vector<CodeBlock>& blocks) {
  for (CodeBlock& latch : blocks) {
    if (latch.ending != Ending::kBra) continue;
    const std::uint32_t target = function.body[latch.last].operands[0].target;
    if (target > latch.last) continue;
    const std::uint32_t begin = blocks[block_at[target]].first;
    if (Waits(function, begin, latch.last)) latch.ending = Ending::kSpin;
  }
}

}  // namespace warpcheck::emulator

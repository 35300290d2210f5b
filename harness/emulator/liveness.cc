#include "emulator/liveness.h"

#include <algorithm>

namespace warpcheck::emulator {
namespace {

template <class Visit>
void VisitRegisters(const ptx::Operand& operand, Visit visit) {
  const bool is_register =
      operand.kind == ptx::OperandKind::kRegister ||
      (operand.kind == ptx::OperandKind::kAddress && operand.base == ptx::AddressBase::kRegister);
  if (is_register) visit(operand.reg);
  for (const ptx::Operand& element : operand.elements) VisitRegisters(element, visit);
}

template <class Visit>
void VisitReads(const ptx::Instruction& instruction, Visit visit) {
  if (instruction.guard) visit(instruction.guard->predicate);
  for (std::size_t i = DestinationCount(instruction); i < instruction.operands.size(); ++i) {
    VisitRegisters(instruction.operands[i], visit);
  }
}

template <class Visit>
void VisitWrites(const ptx::Instruction& instruction, Visit visit) {
  const std::size_t count = std::min(DestinationCount(instruction), instruction.operands.size());
  for (std::size_t i = 0; i < count; ++i) VisitRegisters(instruction.operands[i], visit);
}

using Set = std::vector<std::uint64_t>;  // one bit a register

bool Has(const Set& set, std::uint32_t id) { return (set[id / 64] >> (id % 64) & 1) != 0; }
void Add(Set& set, std::uint32_t id) { set[id / 64] |= std::uint64_t{1} << (id % 64); }
void Remove(Set& set, std::uint32_t id) { set[id / 64] &= ~(std::uint64_t{1} << (id % 64)); }

struct BlockSets {
  Set reads;   // before any write in the block
  Set writes;  // whatever the guard
  Set live_in;
};

BlockSets Summarise(const ptx::Function& function, const CodeBlock& block, std::size_t words) {
  BlockSets sets{Set(words), Set(words), Set(words)};
  for (std::uint32_t i = block.first; i < block.first + block.instructions; ++i) {
    const ptx::Instruction& instruction = function.body[i];
    VisitReads(instruction, [&](std::uint32_t id) {
      if (!Has(sets.writes, id)) Add(sets.reads, id);
    });
    if (instruction.guard) continue;
    VisitWrites(instruction, [&](std::uint32_t id) { Add(sets.writes, id); });
  }
  sets.live_in = sets.reads;
  return sets;
}

Set LiveOut(const std::vector<BlockSets>& blocks, const std::vector<BlockId>& successors,
            std::size_t words) {
  Set out(words);
  for (const BlockId to : successors) {
    if (to >= blocks.size()) continue;
    for (std::size_t i = 0; i < words; ++i) out[i] |= blocks[to].live_in[i];
  }
  return out;
}

std::uint32_t MostLive(const ptx::Function& function, const CodeBlock& block, Set live) {
  const auto words_of = [&](std::uint32_t id) {
    const ptx::Type type = function.registers[id].type;
    return type == ptx::Type::kPred ? 0U : (ptx::Bytes(type) + 3) / 4;
  };
  std::uint32_t count = 0;
  for (std::uint32_t id = 0; id < function.registers.size(); ++id) {
    if (Has(live, id)) count += words_of(id);
  }
  std::uint32_t most = count;
  for (std::uint32_t i = block.first + block.instructions; i-- > block.first;) {
    const ptx::Instruction& instruction = function.body[i];
    if (!instruction.guard) {
      VisitWrites(instruction, [&](std::uint32_t id) {
        if (!Has(live, id)) return;
        Remove(live, id);
        count -= words_of(id);
      });
    }
    VisitReads(instruction, [&](std::uint32_t id) {
      if (Has(live, id)) return;
      Add(live, id);
      count += words_of(id);
    });
    most = std::max(most, count);
  }
  return most;
}

}  // namespace

std::size_t DestinationCount(const ptx::Instruction& instruction) {
  using ptx::Opcode;
  switch (instruction.opcode) {
    case Opcode::kSetp:
    case Opcode::kShfl:
    case Opcode::kElect:
    case Opcode::kTex:
      return 2;
    case Opcode::kMatch:
      return instruction.modifiers.all ? 2 : 1;
    case Opcode::kLop3:
      return instruction.operands.size() == 5 ? 1 : 2;
    case Opcode::kBar:
    case Opcode::kBarrier: {
      const auto& suffixes = instruction.modifiers.suffixes;
      return std::find(suffixes.begin(), suffixes.end(), "red") == suffixes.end() ? 0 : 1;
    }
    case Opcode::kSt:
    case Opcode::kSust:
    case Opcode::kRed:
    case Opcode::kBra:
    case Opcode::kBrxIdx:
    case Opcode::kCall:
    case Opcode::kRet:
    case Opcode::kExit:
    case Opcode::kTrap:
    case Opcode::kBrkpt:
    case Opcode::kNanosleep:
    case Opcode::kPmevent:
    case Opcode::kBarWarp:
    case Opcode::kMembar:
    case Opcode::kFence:
    case Opcode::kPrefetch:
    case Opcode::kPrefetchu:
    case Opcode::kDiscard:
    case Opcode::kApplypriority:
    case Opcode::kCpAsync:
    case Opcode::kCpAsyncWaitGroup:
    case Opcode::kCpAsyncMbarrierArrive:
    case Opcode::kCpAsyncBulk:
    case Opcode::kCpAsyncBulkWaitGroup:
    case Opcode::kCpAsyncBulkPrefetch:
    case Opcode::kMbarrierInit:
    case Opcode::kMbarrierInval:
    case Opcode::kMbarrierExpectTx:
    case Opcode::kMbarrierCompleteTx:
    case Opcode::kStmatrix:
    case Opcode::kWmmaStore:
    case Opcode::kSetmaxnreg:
    case Opcode::kGriddepcontrol:
      return 0;
    default:
      return ptx::IsExecuted(instruction.opcode) ? 1 : 0;
  }
}

Liveness AnalyseLiveness(const ptx::Function& function, const ControlFlow& flow) {
  Liveness result;
  const std::size_t words = function.registers.size() / 64 + 1;
  result.read.assign(function.registers.size(), 0);
  std::vector<BlockSets> blocks;
  for (const CodeBlock& block : flow.blocks) blocks.push_back(Summarise(function, block, words));
  for (const ptx::Instruction& instruction : function.body) {
    VisitReads(instruction, [&](std::uint32_t id) { result.read[id] = 1; });
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = blocks.size(); i-- > 0;) {
      const Set out = LiveOut(blocks, flow.successors[i], words);
      for (std::size_t word = 0; word < words; ++word) {
        const std::uint64_t live = blocks[i].reads[word] | (out[word] & ~blocks[i].writes[word]);
        changed = changed || live != blocks[i].live_in[word];
        blocks[i].live_in[word] = live;
      }
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Set out = LiveOut(blocks, flow.successors[i], words);
    result.most_live_words =
        std::max(result.most_live_words, MostLive(function, flow.blocks[i], out));
  }
  for (std::uint32_t id = 0; !blocks.empty() && id < function.registers.size(); ++id) {
    if (Has(blocks[0].live_in, id)) result.at_entry.push_back(id);
  }
  return result;
}

}  // namespace warpcheck::emulator

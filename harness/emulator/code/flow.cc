#include "emulator/code/flow.h"

#include <algorithm>
#include <string_view>

#include "emulator/code/liveness.h"
#include "ptx/module.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

bool IsTogether(Opcode opcode) {
  const std::string_view text = ptx::Text(opcode);
  return opcode == Opcode::kVote || opcode == Opcode::kMatch || opcode == Opcode::kRedux ||
         opcode == Opcode::kElect || text.starts_with("mma") || text.starts_with("wmma") ||
         text.starts_with("movmatrix");
}

class Builder {
 public:
  Builder(const Program& program, const ptx::Instruction& instruction, const Step& step)
      : program_(program), instruction_(instruction), step_(step) {}

  Flow Build() {
    const std::size_t results = DestinationCount(instruction_);
    bool memory = false;
    for (std::size_t i = 0; i < instruction_.operands.size(); ++i) {
      const ptx::Operand& operand = instruction_.operands[i];
      if (operand.kind == ptx::OperandKind::kAddress) {
        memory = true;
        Add(operand, flow_.sources);
      } else {
        Add(operand, i < results ? flow_.destinations : memory ? flow_.stored : flow_.sources);
      }
    }
    flow_.kind = memory ? Flow::Kind::kMemory : KindOfRest();
    if (memory && !flow_.stored.empty() && IsLoad())
      flow_.stored.clear();  // a cache policy, a level
    if (memory && IsParameter()) UseArea();
    const ptx::Suffixes& suffixes = instruction_.modifiers.suffixes;
    flow_.writes_carry = suffixes.Has("cc");
    flow_.reads_carry =
        opcode() == Opcode::kAddc || opcode() == Opcode::kSubc || opcode() == Opcode::kMadc;
    return std::move(flow_);
  }

 private:
  Opcode opcode() const { return instruction_.opcode; }
  bool IsLoad() const {
    return opcode() == Opcode::kLd || opcode() == Opcode::kLdu || opcode() == Opcode::kTex;
  }

  Flow::Kind KindOfRest() const {
    if (opcode() == Opcode::kSelp && flow_.sources.size() == 3) return Flow::Kind::kSelect;
    if (opcode() == Opcode::kShfl) return Flow::Kind::kShuffle;
    return IsTogether(opcode()) ? Flow::Kind::kTogether : Flow::Kind::kEachLane;
  }

  // Immediates keep their places, as entries of constants, which have no taint.
  void Add(const ptx::Operand& operand, std::vector<TaintIndex>& to) {
    if (operand.NamesRegister()) {
      to.push_back(TaintOf(program_.register_slots[operand.reg]));
    } else if (operand.kind == ptx::OperandKind::kImmediate) {
      to.push_back(TaintOf(program_.constants_begin));
    }
    for (const ptx::Operand& element : operand.elements) Add(element, to);
  }

  // The parameters of a kernel are always written; those of functions are areas of the frame.
  bool IsParameter() const {
    return instruction_.modifiers.space == ptx::Space::kParam &&
           std::any_of(instruction_.operands.begin(), instruction_.operands.end(),
                       [](const ptx::Operand& operand) {
                         return operand.kind == ptx::OperandKind::kAddress &&
                                operand.base == ptx::AddressBase::kSymbol;
                       });
  }

  void UseArea() {
    flow_.kind = Flow::Kind::kEachLane;
    if (step_.b == 0) return;  // of the kernel
    flow_.bytes = ptx::Bytes(instruction_.modifiers.type);
    const std::uint32_t elements = instruction_.modifiers.vector;
    std::vector<TaintIndex> area;
    for (std::uint32_t i = 0; i < flow_.bytes * elements; ++i) {
      area.push_back(TaintOf(step_.a) + static_cast<TaintIndex>(step_.data) + i);
    }
    flow_.kind = IsLoad() ? Flow::Kind::kLoadArea : Flow::Kind::kStoreArea;
    if (IsLoad()) {
      flow_.sources = std::move(area);
    } else {
      flow_.sources = std::move(flow_.stored);
      flow_.destinations = std::move(area);
    }
  }

  const Program& program_;
  const ptx::Instruction& instruction_;
  const Step& step_;
  Flow flow_;
};

}  // namespace

std::vector<Flow> FlowsOf(const Program& program) {
  std::vector<Flow> flows;
  const auto& body = program.function->body;
  for (std::size_t i = 0; i < body.size(); ++i) {
    flows.push_back(Builder(program, body[i], program.steps[i]).Build());
  }
  return flows;
}

}  // namespace warpcheck::emulator

#include "emulator/decode/flow.h"

#include <algorithm>
#include <string_view>

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
    const std::size_t results = instruction_.destinations;
    // A cache policy, the last operand, changes no value.
    const bool has_policy = instruction_.modifiers.suffixes.Has("L2::cache_hint");
    const std::size_t count = instruction_.operands.size() - (has_policy ? 1 : 0);
    bool memory = false;
    for (std::size_t i = 0; i < count; ++i) {
      const ptx::Operand& operand = instruction_.operands[i];
      memory = memory || operand.kind == ptx::OperandKind::kAddress;
      Add(operand, i < results                                 ? flow_.destinations
                   : memory && Stores() && !IsAddress(operand) ? flow_.stored
                                                               : flow_.sources);
    }
    flow_.kind = memory ? Flow::Kind::kMemory : KindOfRest();
    if (memory && IsParameter()) UseArea();
    const ptx::Suffixes& suffixes = instruction_.modifiers.suffixes;
    flow_.writes_carry = suffixes.Has("cc");
    flow_.reads_carry =
        opcode() == Opcode::kAddc || opcode() == Opcode::kSubc || opcode() == Opcode::kMadc;
    if (flow_.kind == Flow::Kind::kEachLane) SayWhatDecides(results);
    return std::move(flow_);
  }

 private:
  Opcode opcode() const { return instruction_.opcode; }
  static bool IsAddress(const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::kAddress;
  }
  bool IsLoad() const { return opcode() == Opcode::kLd || opcode() == Opcode::kLdu; }
  // Returns true if the operands beside the address go to memory. Those of other instructions say
  // which bytes are accessed: a level of detail, a size, the distance of two rows.
  bool Stores() const {
    return opcode() == Opcode::kSt || opcode() == Opcode::kSust || opcode() == Opcode::kAtom ||
           opcode() == Opcode::kRed || opcode() == Opcode::kStmatrix ||
           opcode() == Opcode::kWmmaStore || ptx::Text(opcode()).starts_with("mbarrier.");
  }

  Flow::Kind KindOfRest() const {
    if (opcode() == Opcode::kShfl) return Flow::Kind::kShuffle;
    if (opcode() == Opcode::kBar || opcode() == Opcode::kBarrier) {
      const bool reduces = instruction_.modifiers.suffixes.Has("red");
      return reduces ? Flow::Kind::kBlockCollective : Flow::Kind::kWait;
    }
    if (opcode() == Opcode::kBarWarp || opcode() == Opcode::kNanosleep) return Flow::Kind::kWait;
    return IsTogether(opcode()) ? Flow::Kind::kWarpCollective : Flow::Kind::kEachLane;
  }

  void SayWhatDecides(std::size_t results) {
    const bool integers = !ptx::IsFloat(instruction_.modifiers.type);
    switch (opcode()) {
      case Opcode::kAnd:
      case Opcode::kOr:
      case Opcode::kXor:
      case Opcode::kLop3:
      case Opcode::kSelp:
      case Opcode::kSlct:
        flow_.bitwise = ~0U;
        break;
      case Opcode::kPrmt:
      case Opcode::kBfi:
      case Opcode::kShf:
        flow_.bitwise = 0b11;
        break;
      case Opcode::kShl:
      case Opcode::kShr:
        flow_.bitwise = 0b1;
        break;
      case Opcode::kSetp:
      case Opcode::kSet:
        flow_.joins = instruction_.modifiers.bool_op;
        if (flow_.joins != ptx::BoolOp::kNone) flow_.bitwise = 0b100;
        break;
      case Opcode::kMul:
      case Opcode::kMul24:
      case Opcode::kMad:
      case Opcode::kMad24:
        flow_.product = integers;
        break;
      default:
        break;
    }
    if (!flow_.may_be_decided()) return;
    for (std::size_t i = 0; i < instruction_.operands.size(); ++i) {
      AddBytes(instruction_.operands[i],
               i < results ? flow_.destination_bytes : flow_.source_bytes);
    }
  }

  // Adds the width of each value for which Add adds an entry.
  void AddBytes(const ptx::Operand& operand, std::vector<std::uint32_t>& to) {
    if (operand.NamesRegister()) {
      const ptx::Type type = program_.function->registers[operand.reg].type;
      to.push_back(type == ptx::Type::kPred ? 0 : ptx::Bytes(type));
    } else if (IsConstant(operand)) {
      to.push_back(0);
    }
    for (const ptx::Operand& element : operand.elements) AddBytes(element, to);
  }

  static bool IsConstant(const ptx::Operand& operand) {
    using Kind = ptx::OperandKind;
    return operand.kind == Kind::kImmediate || operand.kind == Kind::kSpecial ||
           operand.kind == Kind::kSymbol || operand.kind == Kind::kFunction;
  }

  // Constants have entries too, without taint, so that the positions of sources stay the same.
  void Add(const ptx::Operand& operand, std::vector<TaintIndex>& to) {
    if (operand.NamesRegister()) {
      to.push_back(TaintOf(program_.register_slots[operand.reg]));
    } else if (IsConstant(operand)) {
      to.push_back(TaintOf(program_.constants_begin));
    }
    for (const ptx::Operand& element : operand.elements) Add(element, to);
  }

  // Returns true if the address belongs to a parameter area of a function. Parameters of the kernel
  // are always written.
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
    if (step_.b == 0) return;  // this is a parameter of the kernel
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

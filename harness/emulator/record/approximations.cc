#include "emulator/record/approximations.h"

#include <optional>
#include <utility>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/core/launch.h"
#include "emulator/record/source_lines.h"
#include "ptx/module.h"
#include "ptx/opcode.h"

namespace warpcheck::emulator {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

// A fetch at a real coordinate may filter, and GPUs round coordinates and weights in their own
// ways.
bool IsApproximate(const Instruction& instruction) {
  const ptx::Modifiers& modifiers = instruction.modifiers;
  return modifiers.approx || modifiers.full ||
         (instruction.opcode == Opcode::kTex && modifiers.source_type == ptx::Type::kF32);
}

std::string TextOf(const Instruction& instruction) {
  std::string text(ptx::Text(instruction.opcode));
  for (const std::string& suffix : instruction.modifiers.suffixes) text += "." + suffix;
  return text;
}

// Calls `each` with the register of an operand, and with those of its elements.
void EachRegister(const Operand& operand, const std::function<void(ptx::RegisterId)>& each) {
  if (operand.NamesRegister()) each(operand.reg);
  for (const Operand& element : operand.elements) EachRegister(element, each);
}

// Finds, for each register of a function, the first instruction that takes a value which may depend
// on the register out of the function's registers. Takes time in proportion to the function's
// length, since a submission may consist of approximations.
class Uses {
 public:
  explicit Uses(const ptx::Function& function)
      : body_(function.body),
        writers_(function.registers.size()),
        uses_(function.registers.size()) {
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      EachWritten(body_[i], [&](ptx::RegisterId reg) { writers_[reg].push_back(i); });
    }
    // Stores, branches and calls write no register. The order of the code does not matter, since a
    // loop leads back.
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      if (body_[i].destinations != 0 && body_[i].opcode != Opcode::kAtom) continue;
      Follow(i);
    }
  }

  // Returns the first use of the result of an instruction.
  std::optional<std::uint32_t> OfResult(const Instruction& instruction) const {
    std::optional<std::uint32_t> first;
    EachWritten(instruction, [&](ptx::RegisterId reg) {
      if (uses_[reg] && (!first || *uses_[reg] < *first)) first = uses_[reg];
    });
    return first;
  }

 private:
  using EachOfThem = std::function<void(ptx::RegisterId)>;

  static void EachWritten(const Instruction& instruction, const EachOfThem& each) {
    for (std::size_t i = 0; i < instruction.destinations; ++i) {
      // The base of an address is read.
      if (instruction.operands[i].kind != OperandKind::kAddress) {
        EachRegister(instruction.operands[i], each);
      }
    }
  }

  static void EachRead(const Instruction& instruction, const EachOfThem& each) {
    if (instruction.guard) each(instruction.guard->predicate);
    for (std::size_t i = instruction.destinations; i < instruction.operands.size(); ++i) {
      EachRegister(instruction.operands[i], each);
    }
  }

  // Makes `use` the first use of each register whose value goes into instruction `use`, directly or
  // through other instructions. Registers that have a first use keep it.
  void Follow(std::uint32_t use) {
    std::vector<std::uint32_t> readers = {use};
    while (!readers.empty()) {
      const std::uint32_t reader = readers.back();
      readers.pop_back();
      EachRead(body_[reader], [&](ptx::RegisterId reg) {
        if (uses_[reg]) return;
        uses_[reg] = use;
        readers.insert(readers.end(), writers_[reg].begin(), writers_[reg].end());
      });
    }
  }

  const std::vector<Instruction>& body_;
  std::vector<std::vector<std::uint32_t>> writers_;  // the instructions that write each register
  std::vector<std::optional<std::uint32_t>> uses_;   // the first use of each register
};

}  // namespace

void Approximations::Add(const Approximation& approximation) {
  if (all_.size() < kMost) {
    if (known_.insert(approximation).second) all_.push_back(approximation);
  } else if (approximation.used && !all_.front().used) {
    all_.front() = approximation;
  }
}

std::vector<Approximation> Approximations::Take() {
  known_.clear();
  return std::exchange(all_, {});
}

void ApproximationLog::Add(const Launch& launch,
                           const std::function<void(const Approximation&)>& tell) {
  for (const auto& [program, counts] : launch.counts) {
    const std::vector<Instruction>& body = program->function->body;
    std::optional<Uses> uses;  // made for the first instruction that is told
    for (std::size_t b = 0; b < program->blocks.size(); ++b) {
      const CodeBlock& code = program->blocks[b];
      if (counts.blocks[b].executions == 0) continue;
      for (std::uint32_t i = code.first; i < code.first + code.instructions; ++i) {
        if (i >= body.size() || !IsApproximate(body[i])) continue;
        if (!told_.emplace(program, i).second) continue;
        if (!uses) uses.emplace(*program->function);
        const auto use = uses->OfResult(body[i]);
        tell({.instruction = TextOf(body[i]),
              .where = PlaceOf(launch, *program, i),
              .used = use.has_value(),
              .use = use ? PlaceOf(launch, *program, *use) : SourceLocation{}});
      }
    }
  }
}

}  // namespace warpcheck::emulator

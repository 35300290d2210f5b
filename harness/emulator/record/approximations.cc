#include "emulator/record/approximations.h"

#include <algorithm>
#include <optional>
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

// The registers of a function that may depend on an instruction's result.
class Dependents {
 public:
  explicit Dependents(const ptx::Function& function) : marked_(function.registers.size()) {}

  // Returns true if an operand, or an element of it, is marked.
  bool Has(const Operand& operand) const {
    return (operand.NamesRegister() && marked_[operand.reg]) ||
           std::ranges::any_of(operand.elements, [&](const Operand& one) { return Has(one); });
  }

  bool AreReadBy(const Instruction& instruction) const {
    if (instruction.guard && marked_[instruction.guard->predicate]) return true;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const Operand& operand = instruction.operands[i];
      const bool is_written = i < instruction.destinations;
      if (!is_written && Has(operand)) return true;
    }
    return false;
  }

  // Marks what an instruction writes. Returns true if that is new.
  bool AddResultsOf(const Instruction& instruction) {
    bool grew = false;
    for (std::size_t i = 0; i < instruction.destinations; ++i) {
      grew = Add(instruction.operands[i]) || grew;
    }
    return grew;
  }

 private:
  bool Add(const Operand& operand) {
    bool grew = false;
    if (operand.kind == OperandKind::kRegister && !marked_[operand.reg]) {
      marked_[operand.reg] = grew = true;
    }
    for (const Operand& element : operand.elements) grew = Add(element) || grew;
    return grew;
  }

  std::vector<bool> marked_;
};

// Stores, branches and calls write no register. The order of the code does not matter, since a loop
// leads back.
std::optional<std::uint32_t> FirstUse(const ptx::Function& function, std::uint32_t from) {
  Dependents dependents(function);
  dependents.AddResultsOf(function.body[from]);
  for (bool grew = true; grew;) {
    grew = false;
    for (std::uint32_t i = 0; i < function.body.size(); ++i) {
      const Instruction& instruction = function.body[i];
      if (!dependents.AreReadBy(instruction)) continue;
      if (instruction.destinations == 0 || instruction.opcode == Opcode::kAtom) return i;
      grew = dependents.AddResultsOf(instruction) || grew;
    }
  }
  return std::nullopt;
}

}  // namespace

void ApproximationLog::Add(const Launch& launch,
                           const std::function<void(const Approximation&)>& tell) {
  for (const auto& [program, counts] : launch.counts) {
    for (std::size_t b = 0; b < program->blocks.size(); ++b) {
      const CodeBlock& code = program->blocks[b];
      if (counts.blocks[b].executions == 0) continue;
      for (std::uint32_t i = code.first; i < code.first + code.instructions; ++i) {
        const std::vector<Instruction>& body = program->function->body;
        if (i >= body.size() || !IsApproximate(body[i])) continue;
        if (!told_.emplace(program, i).second) continue;
        const auto use = FirstUse(*program->function, i);
        tell({.instruction = TextOf(body[i]),
              .where = PlaceOf(launch, *program, i),
              .used = use.has_value(),
              .use = use ? PlaceOf(launch, *program, *use) : SourceLocation{}});
      }
    }
  }
}

}  // namespace warpcheck::emulator

#include "emulator/checkers/races/report/signalled_data.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

// Calls visit(register) for the registers of some operands.
template <class Visit>
void EachRegister(std::span<const ptx::Operand> operands, Visit visit) {
  for (const ptx::Operand& operand : operands) {
    if (operand.NamesRegister()) visit(operand.reg);
    for (const ptx::Operand& element : operand.elements) {
      if (element.NamesRegister()) visit(element.reg);
    }
  }
}

// True if what `load` reads is only compared, further down, with other values.
bool IsOnlyCompared(const CodePlace& load) {
  const auto& body = load.program->function->body;
  std::set<ptx::RegisterId> values;
  for (auto i = load.index; i < body.size(); ++i) {
    const std::span<const ptx::Operand> operands = body[i].operands;
    const std::size_t results = std::min<std::size_t>(body[i].destinations, operands.size());
    bool fed = i == load.index;
    if (!fed) {
      EachRegister(operands.subspan(results),
                   [&](ptx::RegisterId reg) { fed = fed || values.contains(reg); });
    }
    if (!fed || body[i].opcode == Opcode::kSetp) continue;
    const bool passes_on =
        IsOneOf(body[i].opcode, Opcode::kMov, Opcode::kCvt, Opcode::kAnd) || i == load.index;
    if (!passes_on) return false;
    EachRegister(operands.first(results), [&](ptx::RegisterId reg) { values.insert(reg); });
  }
  return true;
}

// Returns the first strong access behind `write` that writes, unless it has a fence before it or
// is a release.
std::optional<CodePlace> SignalOf(const CodePlace& write) {
  const auto& body = write.program->function->body;
  for (auto i = write.index + 1; i < body.size(); ++i) {
    if (IsFence(body[i])) return std::nullopt;
    if (!IsStrong(body[i]) || body[i].opcode == Opcode::kLd) continue;
    if (Releases(body[i])) return std::nullopt;
    return CodePlace{write.program, i, true};
  }
  return std::nullopt;
}

}  // namespace

bool IsSignalledData(const CodePlace& write, const CodePlace& read) {
  if (write.program == nullptr || write.program != read.program) return false;
  const std::optional<CodePlace> signal = SignalOf(write);
  if (!signal || SameAddress(*write.program, signal->instruction(), write.instruction())) {
    return false;
  }
  const auto& body = read.program->function->body;
  const bool looked =
      std::any_of(body.begin(), body.begin() + read.index, [&](const ptx::Instruction& one) {
        return IsStrong(one) && IsOneOf(one.opcode, Opcode::kLd, Opcode::kAtom) &&
               SameAddress(*read.program, one, signal->instruction());
      });
  return looked && !IsOnlyCompared(read);
}

}  // namespace warpcheck::emulator

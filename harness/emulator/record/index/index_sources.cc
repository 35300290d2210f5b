#include "emulator/record/index/index_sources.h"

#include "ptx/analysis/registers.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

constexpr std::size_t kMostIndexed = 20'000;
// The most rounds over all instructions until nothing changes.
constexpr int kMostRounds = 32;

Sources OfSpecial(ptx::SpecialRegister special) {
  using enum ptx::SpecialRegister;
  switch (special) {
    case kTidX:
      return kThreadX;
    case kTidY:
      return kThreadY;
    case kTidZ:
      return kThreadZ;
    case kCtaidX:
    case kCtaidY:
    case kCtaidZ:
      return kBlock;
    case kNtidX:
    case kNtidY:
    case kNtidZ:
      return 0;
    default:
      return kFromMemory;
  }
}

}  // namespace

IndexSources::IndexSources(const ptx::Function& function) {
  if (function.body.size() > kMostIndexed) return;
  for (const ptx::Instruction& one : function.body) {
    ptx::EachWrite(one, [&](ptx::RegisterId reg) {
      Room(reg);
      if (written_[reg]) sources_[reg] = kChanging;
      written_[reg] = true;
    });
  }
  bool changed = true;
  for (int round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (const ptx::Instruction& one : function.body) {
      const Sources made = OfResult(one);
      ptx::EachWrite(one, [&](ptx::RegisterId reg) {
        const auto all = static_cast<Sources>(sources_[reg] | made);
        changed = changed || all != sources_[reg];
        sources_[reg] = all;
      });
    }
  }
  known_ = !changed;
}

Sources IndexSources::Of(const ptx::Operand& operand) const {
  Sources sources = 0;
  if (operand.NamesRegister() && operand.reg < sources_.size()) sources = sources_[operand.reg];
  if (operand.kind == ptx::OperandKind::kSpecial) sources = OfSpecial(operand.special);
  for (const ptx::Operand& element : operand.elements) {
    sources = static_cast<Sources>(sources | Of(element));
  }
  return sources;
}

Sources IndexSources::OfResult(const ptx::Instruction& one) const {
  if (one.opcode == Opcode::kLd) {
    return one.modifiers.space == ptx::Space::kParam ? kParameter : kFromMemory;
  }
  if (one.opcode == Opcode::kAtom || one.opcode == Opcode::kCall) return kFromMemory;
  Sources sources = 0;
  for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
    sources = static_cast<Sources>(sources | Of(one.operands[i]));
  }
  return sources;
}

void IndexSources::Room(ptx::RegisterId reg) {
  if (reg < sources_.size()) return;
  sources_.resize(reg + std::size_t{1});
  written_.resize(reg + std::size_t{1});
}

Sources AddressSources(const IndexSources& registers, const ptx::Instruction& access) {
  Sources sources = 0;
  for (const ptx::Operand& operand : access.operands) {
    if (operand.kind != ptx::OperandKind::kAddress) continue;
    sources = static_cast<Sources>(sources | registers.Of(operand));
  }
  return sources;
}

}  // namespace warpcheck::emulator

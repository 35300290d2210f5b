#include "emulator/record/guard_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "emulator/record/source_lines.h"
#include "ptx/analysis/registers.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

// The sources that a value is computed from, one bit each.
using Sources = std::uint8_t;
constexpr Sources kThreadX = 1, kThreadY = 2, kThreadZ = 4;
constexpr Sources kThread = kThreadX | kThreadY | kThreadZ;
constexpr Sources kBlock = 8;
constexpr Sources kParameter = 16;
constexpr Sources kElse = 32;  // memory, or a variable that changes its value

constexpr std::size_t kMostGuarded = 20'000;  // kernels with more instructions are not analysed
// The most rounds over all instructions until nothing changes.
constexpr int kMostRounds = 32;

class SourcesOfRegisters {
 public:
  explicit SourcesOfRegisters(const ptx::Function& function) {
    for (const ptx::Instruction& one : function.body) {
      ptx::EachWrite(one, [&](ptx::RegisterId reg) {
        Room(reg);
        if (written_[reg]) sources_[reg] = kElse;
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

  // Returns false if kMostRounds were not enough.
  bool known() const { return known_; }

  Sources Of(const ptx::Operand& operand) const {
    Sources sources = 0;
    if (operand.NamesRegister() && operand.reg < sources_.size()) sources = sources_[operand.reg];
    if (operand.kind == ptx::OperandKind::kSpecial) sources = OfSpecial(operand.special);
    for (const ptx::Operand& element : operand.elements) {
      sources = static_cast<Sources>(sources | Of(element));
    }
    return sources;
  }

 private:
  static Sources OfSpecial(ptx::SpecialRegister special) {
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
        return kElse;
    }
  }

  Sources OfResult(const ptx::Instruction& one) const {
    if (one.opcode == Opcode::kLd) {
      return one.modifiers.space == ptx::Space::kParam ? kParameter : kElse;
    }
    if (one.opcode == Opcode::kAtom || one.opcode == Opcode::kCall) return kElse;
    Sources sources = 0;
    for (std::size_t i = one.destinations; i < one.operands.size(); ++i) {
      sources = static_cast<Sources>(sources | Of(one.operands[i]));
    }
    return sources;
  }

  void Room(ptx::RegisterId reg) {
    if (reg < sources_.size()) return;
    sources_.resize(reg + std::size_t{1});
    written_.resize(reg + std::size_t{1});
  }

  std::vector<Sources> sources_;
  std::vector<bool> written_;
  bool known_ = false;
};

// Returns the components of threadIdx that the comparison compares with an argument of the kernel.
// Returns 0 for any other comparison.
Sources ComparedPlace(const SourcesOfRegisters& registers, const ptx::Instruction& one) {
  if (one.opcode != Opcode::kSetp || one.operands.size() < 4) return 0;
  const Sources a = registers.Of(one.operands[2]);
  const Sources b = registers.Of(one.operands[3]);
  if (a != 0 && (a & ~kThread) == 0 && b == kParameter) return a;
  if (b != 0 && (b & ~kThread) == 0 && a == kParameter) return b;
  return 0;
}

std::string NamesOf(Sources places) {
  std::string names;
  const auto add = [&](Sources place, const char* name) {
    if ((places & place) == 0) return;
    names += (names.empty() ? "" : " and ") + std::string(name);
  };
  add(kThreadX, "threadIdx.x");
  add(kThreadY, "threadIdx.y");
  add(kThreadZ, "threadIdx.z");
  return names;
}

}  // namespace

std::string GuardHint(const Launch& launch, const Program& program, std::uint32_t instruction) {
  const ptx::Function& function = *program.function;
  if (function.body.size() > kMostGuarded) return {};
  const SourcesOfRegisters registers(function);
  if (!registers.known()) return {};
  for (const ptx::Operand& operand : function.body[instruction].operands) {
    if (operand.kind != ptx::OperandKind::kAddress) continue;
    const Sources address = registers.Of(operand);
    if ((address & kBlock) == 0 || (address & kElse) != 0) return {};
  }
  Sources places = 0;
  int line = 0;
  for (std::uint32_t i = 0; i < instruction; ++i) {
    const Sources place = ComparedPlace(registers, function.body[i]);
    if (place == 0) continue;
    if (line == 0) line = PlaceOf(launch, program, i).line;
    if (PlaceOf(launch, program, i).line == line) places |= place;
  }
  if (places == 0) return {};
  return fmt::format(
      "the guard in line {} compares {}, which starts at 0 in every block: compare the index in "
      "the "
      "grid, blockIdx.x * blockDim.x + threadIdx.x, which the access uses",
      line, NamesOf(places));
}

}  // namespace warpcheck::emulator

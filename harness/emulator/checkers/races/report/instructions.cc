#include "emulator/checkers/races/report/instructions.h"

#include <algorithm>

#include "emulator/code/program.h"

namespace warpcheck::emulator {

InstructionNumbers::Base InstructionNumbers::BaseOf(const Program& program) {
  const auto known = std::ranges::find(programs_, &program, &Base::program);
  if (known != programs_.end()) return *known;
  programs_.push_back({&program, next_});
  next_ += static_cast<std::uint32_t>(program.memory.size());
  return programs_.back();
}

InstructionNumbers::Instruction InstructionNumbers::At(std::uint32_t number) const {
  for (const Base& base : programs_) {
    if (number >= base.base && number - base.base < base.program->memory.size()) {
      return {base.program, &base.program->memory[number - base.base]};
    }
  }
  return {};
}

}  // namespace warpcheck::emulator

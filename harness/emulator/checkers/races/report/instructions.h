// InstructionNumbers gives the memory instructions of a launch numbers that are small enough for an
// AccessId.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class InstructionNumbers {
 public:
  struct Instruction {
    const Program* program = nullptr;
    const MemoryInfo* info = nullptr;
  };

  void Clear() { programs_.clear(), last_ = {}, next_ = 0; }
  std::uint32_t NumberOf(const Program& program, const Step& step) {
    if (last_.program != &program) [[unlikely]]
      last_ = BaseOf(program);
    return last_.base + step.memory;
  }
  // Returns the instruction with that number; both pointers are null if there is no such
  // instruction.
  Instruction At(std::uint32_t number) const;

 private:
  struct Base {
    const Program* program = nullptr;
    std::uint32_t base = 0;
  };
  Base BaseOf(const Program& program);

  std::vector<Base> programs_;
  Base last_;
  std::uint32_t next_ = 0;
};

}  // namespace warpcheck::emulator

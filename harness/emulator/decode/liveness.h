// Finds where the registers of a function are live.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/decode/control_flow.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct Liveness {
  std::vector<std::uint8_t> read;  // by register, not 0 if anything reads it
  std::vector<ptx::RegisterId>
      at_entry;  // registers that are read before they are written, on some path
  std::uint32_t most_live_words = 0;  // the most 32-bit registers live at once, without predicates
};

// Returns the result for a function. It is meaningless once `preparation` is exhausted.
Liveness AnalyseLiveness(const ptx::Function& function, const ControlFlow& flow,
                         Preparation& preparation);

}  // namespace warpcheck::emulator

// Which registers of a function matter where.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/control_flow.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct Liveness {
  std::vector<std::uint8_t> read;         // of each register: whether anything reads it
  std::vector<ptx::RegisterId> at_entry;  // read before they are written, on some path
  std::uint32_t most_live_words = 0;      // 32-bit registers live at once, predicates not counted
};

// Of no use where `preparation` is spent.
Liveness AnalyseLiveness(const ptx::Function& function, const ControlFlow& flow,
                         Preparation& preparation);

// How many of the first operands are destinations.
std::size_t DestinationCount(const ptx::Instruction& instruction);

}  // namespace warpcheck::emulator

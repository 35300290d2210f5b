// Loads and stores of .param variables (instructions_parameter.cc).
#pragma once

#include "emulator/operands.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// An access to a variable of the kernel, or of a function or call; null where there is none such.
StepFunction DecodeParameter(Operands& operands, Step& step, bool load, const ptx::Operand& address,
                             std::uint32_t register_bytes);

}  // namespace warpcheck::emulator::WARPCHECK_ISA

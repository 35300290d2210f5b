// The floating-point forms of opcodes that exist for integers too.
#pragma once

#include "emulator/operands.h"
#include "emulator/step.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

inline bool IsFloating(ptx::Type type) {
  return type >= ptx::Type::kF16 && type <= ptx::Type::kF64;
}

StepFunction DecodeFloatAdd(Operands& operands, Step& step);
StepFunction DecodeFloatSub(Operands& operands, Step& step);
StepFunction DecodeFloatMul(Operands& operands, Step& step);
StepFunction DecodeFloatDiv(Operands& operands, Step& step);
StepFunction DecodeFloatAbs(Operands& operands, Step& step);
StepFunction DecodeFloatNeg(Operands& operands, Step& step);
StepFunction DecodeFloatMin(Operands& operands, Step& step);
StepFunction DecodeFloatMax(Operands& operands, Step& step);

}  // namespace warpcheck::emulator::WARPCHECK_ISA

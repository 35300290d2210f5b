// Declares the decode functions of floating-point forms, for opcodes that also have integer forms.
#pragma once

#include "emulator/instructions/instructions.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

StepFunction DecodeFloatAdd(Operands& operands, Step& step);
StepFunction DecodeFloatSub(Operands& operands, Step& step);
StepFunction DecodeFloatMul(Operands& operands, Step& step);
StepFunction DecodeFloatDiv(Operands& operands, Step& step);
StepFunction DecodeFloatAbs(Operands& operands, Step& step);
StepFunction DecodeFloatNeg(Operands& operands, Step& step);
StepFunction DecodeFloatMin(Operands& operands, Step& step);
StepFunction DecodeFloatMax(Operands& operands, Step& step);

}  // namespace warpcheck::emulator::WARPCHECK_ISA

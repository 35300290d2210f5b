// The instructions that the emulator executes: one decode function a row of ptx/opcodes.def, in the
// file of its family in this folder. A row without a function does not link.
//
// These files are compiled twice, into the namespaces `baseline` and `v3` (see CMakeLists.txt):
// they define only what is inside WARPCHECK_ISA, and use no standard containers on the hot path.
//
// A decode function fills in the slots and data of `step` and returns what executes it, or null
// for a form that is not supported. For example:
//
//   StepFunction DecodeNot(Operands& operands, Step& step) {
//     step.d = operands.Destination(0, Bytes(operands.type()));
//     step.a = operands.Source(1, Bytes(operands.type()));
//     switch (operands.type()) {
//       case ptx::Type::kB32: return Unary<std::uint32_t, std::uint32_t, Not>;
//       ...
//       default: return nullptr;
//     }
//   }
#pragma once

#include "emulator/code/operands.h"
#include "emulator/code/step.h"
#include "ptx/opcode.h"

#ifndef WARPCHECK_ISA
#error "instruction files are compiled by harness/emulator/CMakeLists.txt with WARPCHECK_ISA set"
#endif

namespace warpcheck::emulator::WARPCHECK_ISA {

#define PARSED_OPCODE(...)
#define OPCODE(name, ...) StepFunction Decode##name(Operands& operands, Step& step);
#include "ptx/opcodes.def"
#undef OPCODE

// What families share.

inline bool IsFloating(ptx::Type type) {
  return type >= ptx::Type::kF16 && type <= ptx::Type::kF64;
}

// The floating-point forms of opcodes that exist for integers too (instructions/float.cc).
StepFunction DecodeFloatAdd(Operands& operands, Step& step);
StepFunction DecodeFloatSub(Operands& operands, Step& step);
StepFunction DecodeFloatMul(Operands& operands, Step& step);
StepFunction DecodeFloatDiv(Operands& operands, Step& step);
StepFunction DecodeFloatAbs(Operands& operands, Step& step);
StepFunction DecodeFloatNeg(Operands& operands, Step& step);
StepFunction DecodeFloatMin(Operands& operands, Step& step);
StepFunction DecodeFloatMax(Operands& operands, Step& step);

// An access to a .param variable of the kernel, or of a function or call; null where there is none
// such.
StepFunction DecodeParameter(Operands& operands, Step& step, bool load, const ptx::Operand& address,
                             std::uint32_t register_bytes);

}  // namespace warpcheck::emulator::WARPCHECK_ISA

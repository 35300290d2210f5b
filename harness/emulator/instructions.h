// The instructions that the emulator executes: one decode function a row of ptx/opcodes.def, in the
// file of its family (instructions_*.cc). A row without a function does not link.
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

#include "emulator/operands.h"
#include "emulator/step.h"
#include "ptx/opcode.h"

#ifndef WARPCHECK_ISA
#error "instruction files are compiled by harness/emulator/CMakeLists.txt with WARPCHECK_ISA set"
#endif

namespace warpcheck::emulator::WARPCHECK_ISA {

#define PARSED_OPCODE(...)
#define OPCODE(name, ...) StepFunction Decode##name(Operands& operands, Step& step);
#include "ptx/opcodes.def"
#undef OPCODE

}  // namespace warpcheck::emulator::WARPCHECK_ISA

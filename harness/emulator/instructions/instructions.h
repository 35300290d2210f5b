// Declares the decode functions of all instructions: one for each row of ptx/opcodes.def, defined
// in the file of its family in this folder. A row without a function does not link.
//
// These files are compiled twice, into the namespaces `baseline` and `v3` (CMakeLists.txt). They
// must define everything inside WARPCHECK_ISA, and use no standard containers on the hot path.
//
// A decode function fills in the slots and data of `step`, and returns the function that executes
// it, or null for a form that is not supported. For an opcode `invert` it could be:
//
//   StepFunction DecodeInvert(Operands& operands, Step& step) {
//     step.d = operands.Destination(0, Bytes(operands.type()));
//     step.a = operands.Source(1, Bytes(operands.type()));
//     switch (operands.type()) {
//       case ptx::Type::kB32: return Unary<std::uint32_t, std::uint32_t, Not>;
//       ...
//       default: return nullptr;
//     }
//   }
#pragma once

#include "emulator/code/step.h"
#include "emulator/decode/operands.h"
#include "emulator/warps/warp_sync.h"
#include "ptx/types.h"

#ifndef WARPCHECK_ISA
#error "instruction files are compiled by harness/emulator/CMakeLists.txt with WARPCHECK_ISA set"
#endif

namespace warpcheck::emulator::WARPCHECK_ISA {

#define PARSED_OPCODE(...)
#define OPCODE(name, ...) StepFunction Decode##name(Operands& operands, Step& step);
#include "ptx/opcodes.def"
#undef OPCODE

inline bool IsFloating(ptx::Type type) {
  return type >= ptx::Type::kF16 && type <= ptx::Type::kF64;
}

// Executes instructions that have no effect here, because the lanes of a warp act in order and
// there are no caches.
inline void Nothing(std::byte*, const Step&, LaneMask, Warp&) {}

// Reports lanes that do not execute an .aligned instruction, which all lanes of the warp must
// execute.
inline void CheckWholeWarp(Warp& warp, const Step& step, LaneMask mask) {
  const int lane = std::countr_zero(mask);
  if (!MembersFit(warp, mask, kAllLanes, lane)) ReportMembers(warp, step, mask, kAllLanes, lane);
}

}  // namespace warpcheck::emulator::WARPCHECK_ISA

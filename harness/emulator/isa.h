// The two builds of the hot code: for any x86-64, and for processors with AVX2, FMA and BMI2.
#pragma once

#include "emulator/operands.h"
#include "emulator/step.h"
#include "ptx/opcode.h"

namespace warpcheck::emulator {

struct Program;  // emulator/program.h

using DecodeFunction = StepFunction (*)(Operands& operands, Step& step);

struct Isa {
  // Null for the opcodes that no device executes.
  DecodeFunction (*decoder)(ptx::Opcode opcode);
};

namespace baseline {
extern const Isa kIsa;
}
namespace v3 {
extern const Isa kIsa;
}

// The best one that this processor has; both compute the same bits.
const Isa& BestIsa();

}  // namespace warpcheck::emulator

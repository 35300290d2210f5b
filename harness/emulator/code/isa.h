// Chooses between the two builds of the hot code: for any x86-64, and for processors with AVX2, FMA
// and BMI2.
#pragma once

#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/opcode.h"
#include "ptx/types.h"

namespace warpcheck::emulator {

class Operands;  // defined in emulator/decode/operands.h

using InstructionDecoder = StepFunction (*)(Operands& operands, Step& step);

struct Isa {
  // Returns null for opcodes that no device executes.
  InstructionDecoder (*decoder)(ptx::Opcode opcode) = nullptr;
  // Runs the running subwarp until it ends, waits at a barrier or for other lanes, has taken a turn
  // in a loop that waits, or has run `quantum` basic blocks, or until the launch is stopped.
  // Subwarp::state says which of these happened.
  void (*run)(Warp& warp, std::uint64_t quantum) = nullptr;
  // Replaces an instruction that the emulator does not have, and ends the launch if it is executed.
  // Step::data is the index of the reason in Program::refusals.
  StepFunction unsupported = nullptr;
};

namespace baseline {
extern const Isa kIsa;
}
namespace v3 {
extern const Isa kIsa;
}

// Returns the fastest build that this processor can run. Both builds compute the same bits.
inline const Isa& BestIsa() {
#ifdef WARPCHECK_BASELINE_ALONE
  return baseline::kIsa;
#else
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return v3 ? v3::kIsa : baseline::kIsa;
#endif
}

}  // namespace warpcheck::emulator

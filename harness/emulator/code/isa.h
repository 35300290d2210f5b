// The two builds of the hot code: for any x86-64, and for processors with AVX2, FMA and BMI2.
#pragma once

#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/types.h"

namespace warpcheck::emulator {

class Operands;  // emulator/code/operands.h

using InstructionDecoder = StepFunction (*)(Operands& operands, Step& step);

struct Isa {
  // Null for the opcodes that no device executes.
  InstructionDecoder (*decoder)(ptx::Opcode opcode) = nullptr;
  // Runs a subwarp of the warp until it ends, waits at a barrier or for other lanes, has gone round
  // a loop that waits, has run `quantum` basic blocks, or the launch is stopped. Subwarp::state
  // says which.
  void (*run)(Warp& warp, std::uint64_t quantum) = nullptr;
  // In place of an instruction that the emulator does not have, which may stand where no thread
  // comes; Step::data names its reason in Program::refusals.
  StepFunction unsupported = nullptr;
};

namespace baseline {
extern const Isa kIsa;
}
namespace v3 {
extern const Isa kIsa;
}

// The best one that this processor has; all compute the same bits.
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

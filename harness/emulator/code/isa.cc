#include "emulator/code/isa.h"

namespace warpcheck::emulator {

const Isa& BestIsa() {
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return v3 ? v3::kIsa : baseline::kIsa;
}

}  // namespace warpcheck::emulator

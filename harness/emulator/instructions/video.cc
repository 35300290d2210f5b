// Executes vabsdiff2 and vabsdiff4 (PTX ISA, "Video Instructions"): the absolute differences of the
// unsigned halves or bytes of two registers. nvcc makes no other video instructions of CUDA's SIMD
// intrinsics (__vsadu4 and others), and the programs of courses contain no others.
#include <cstdint>

#include "emulator/code/step.h"
#include "emulator/instructions/instructions.h"
#include "emulator/lanes/lane_types.h"
#include "ptx/module.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

namespace {

using U32 = std::uint32_t;

// Computes `ways` differences. With `adds`, the result is their sum and c; otherwise each stands at
// its own place in the result.
template <int ways, bool adds>
void Differences(std::byte* frame, const Step& step, LaneMask mask, Warp&) {
  constexpr int kBits = 32 / ways;
  constexpr U32 kOnes = (U32{1} << kBits) - 1;
  const U32* a = Lanes<U32>(frame, step.a);
  const U32* b = Lanes<U32>(frame, step.b);
  const U32* c = Lanes<U32>(frame, step.c);
  U32* d = Lanes<U32>(frame, step.d);
  ForEachLane(mask, [&](int i) {
    U32 result = adds ? c[i] : 0;
    for (int shift = 0; shift < 32; shift += kBits) {
      const U32 x = a[i] >> shift & kOnes;
      const U32 y = b[i] >> shift & kOnes;
      const U32 difference = x < y ? y - x : x - y;
      result += adds ? difference : difference << shift;
    }
    d[i] = result;
  });
}

template <int ways>
StepFunction DecodeDifferences(Operands& operands, Step& step) {
  DecodeSlots(operands, step, 4);
  return operands.modifiers().atomic == ptx::Atomic::kAdd ? &Differences<ways, true>
                                                          : &Differences<ways, false>;
}

}  // namespace

StepFunction DecodeVabsdiff2(Operands& o, Step& s) { return DecodeDifferences<2>(o, s); }
StepFunction DecodeVabsdiff4(Operands& o, Step& s) { return DecodeDifferences<4>(o, s); }

}  // namespace warpcheck::emulator::WARPCHECK_ISA

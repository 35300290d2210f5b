// score: 0
// says: times in all
// Kernels with 480 races each are launched again and again, to use up the time of the race checker,
// whose work is bounded for all launches together.
#include "transpose.h"

#define RACE(i) cells[i] = cells[i + 1] + blockIdx.x;
#define R8(i) RACE(i) RACE(i + 1) RACE(i + 2) RACE(i + 3) RACE(i + 4) RACE(i + 5) RACE(i + 6) RACE(i + 7)
__device__ volatile int cells[4096];
template <int kIndex>
__global__ void races() {
  R8(0 + kIndex)
  R8(8 + kIndex)
  R8(16 + kIndex)
  R8(24 + kIndex)
  R8(32 + kIndex)
  R8(40 + kIndex)
  R8(48 + kIndex)
  R8(56 + kIndex)
  R8(64 + kIndex)
  R8(72 + kIndex)
  R8(80 + kIndex)
  R8(88 + kIndex)
  R8(96 + kIndex)
  R8(104 + kIndex)
  R8(112 + kIndex)
  R8(120 + kIndex)
  R8(128 + kIndex)
  R8(136 + kIndex)
  R8(144 + kIndex)
  R8(152 + kIndex)
  R8(160 + kIndex)
  R8(168 + kIndex)
  R8(176 + kIndex)
  R8(184 + kIndex)
  R8(192 + kIndex)
  R8(200 + kIndex)
  R8(208 + kIndex)
  R8(216 + kIndex)
  R8(224 + kIndex)
  R8(232 + kIndex)
  R8(240 + kIndex)
  R8(248 + kIndex)
  R8(256 + kIndex)
  R8(264 + kIndex)
  R8(272 + kIndex)
  R8(280 + kIndex)
  R8(288 + kIndex)
  R8(296 + kIndex)
  R8(304 + kIndex)
  R8(312 + kIndex)
  R8(320 + kIndex)
  R8(328 + kIndex)
  R8(336 + kIndex)
  R8(344 + kIndex)
  R8(352 + kIndex)
  R8(360 + kIndex)
  R8(368 + kIndex)
  R8(376 + kIndex)
  R8(384 + kIndex)
  R8(392 + kIndex)
  R8(400 + kIndex)
  R8(408 + kIndex)
  R8(416 + kIndex)
  R8(424 + kIndex)
  R8(432 + kIndex)
  R8(440 + kIndex)
  R8(448 + kIndex)
  R8(456 + kIndex)
  R8(464 + kIndex)
  R8(472 + kIndex)
}
template <int kIndex>
void launch() {
  for (int i = 0; i < 10; ++i) races<kIndex><<<40, 64>>>();
  if constexpr (kIndex > 0) launch<kIndex - 1>();
}
void transpose(const float* in, float* out, int rows, int cols) { launch<7>(); }

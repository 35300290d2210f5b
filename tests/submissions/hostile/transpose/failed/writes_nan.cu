// score: 0
// says: wrong
// The program writes NaN. A check that only asks whether the difference is too large accepts it,
// since every comparison with NaN is false.
#include "transpose.h"

__global__ void spoil(float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = __int_as_float(0x7fc00000);
}

void transpose(const float*, float* out, int rows, int cols) {
  const int count = rows * cols;
  spoil<<<(count + 255) / 256, 256>>>(out, count);
}

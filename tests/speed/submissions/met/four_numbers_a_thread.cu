// Half of the instructions of the reference: each thread scales four numbers.
#include "scale.h"

__global__ void doubled4(const float* in, float* out, int count) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  if (i + 3 < count) {
    const float4 four = *reinterpret_cast<const float4*>(in + i);
    *reinterpret_cast<float4*>(out + i) =
        make_float4(2 * four.x, 2 * four.y, 2 * four.z, 2 * four.w);
  } else {
    for (int j = i; j < count; ++j) out[j] = 2 * in[j];
  }
}

void scale(const float* in, float* out, int count) {
  doubled4<<<(count + 1023) / 1024, 256>>>(in, out, count);
}

// score: 100
// A warp transposes a tile of 32 x 32 in its registers: in five steps lanes exchange halves with
// the lanes 16, 8, 4, 2 and 1 away. There is no shared memory.
#include "transpose.h"

__global__ void transpose_in_registers(const unsigned* in, unsigned* out, int rows, int cols) {
  const int lane = threadIdx.x;
  const int tiles_across = (cols + 31) / 32;
  const int tile = blockIdx.x * blockDim.y + threadIdx.y;
  const int col0 = tile % tiles_across * 32;
  const int row0 = tile / tiles_across * 32;
  if (row0 >= rows) return;

  unsigned held[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const bool inside = row0 + i < rows && col0 + lane < cols;
    held[i] = inside ? in[static_cast<size_t>(row0 + i) * cols + col0 + lane] : 0u;
  }
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    const bool upper = (lane & bit) != 0;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if ((i & bit) != 0) continue;
      const unsigned given = upper ? held[i] : held[i | bit];
      const unsigned taken = __shfl_xor_sync(0xFFFFFFFFu, given, bit);
      if (upper) {
        held[i] = taken;
      } else {
        held[i | bit] = taken;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    if (col0 + i < cols && row0 + lane < rows) {
      out[static_cast<size_t>(col0 + i) * rows + row0 + lane] = held[i];
    }
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  constexpr int kWarps = 2;
  const int tiles = (rows + 31) / 32 * ((cols + 31) / 32);
  transpose_in_registers<<<(tiles + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(
      reinterpret_cast<const unsigned*>(in), reinterpret_cast<unsigned*>(out), rows, cols);
}

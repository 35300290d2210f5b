// score: 100
// Sums by inline PTX: ld.const.f32 for a weight, ld.shared.f32 for a pixel, fma.rn. The tile is
// addressed by 32-bit numbers in the shared window, and its rows have a run-time pitch in dynamic
// memory. Three dimensions of threads: z counts the rows that a thread group has.
#include "convolution.h"

constexpr int kX = 32, kY = 4, kZ = 4;

__constant__ float masks[1][225];

__device__ __forceinline__ void add_term(float& sum, unsigned long long weight, unsigned pixel) {
  asm volatile(
      "{\n\t.reg .f32 w, p;\n\t"
      "ld.const.f32 w, [%1];\n\t"
      "ld.shared.f32 p, [%2];\n\t"
      "fma.rn.f32 %0, w, p, %0;\n\t}"
      : "+f"(sum)
      : "l"(weight), "r"(pixel));
}

__global__ void sum_in_ptx(const float* in, float* out, int height, int width, int radius) {
  extern __shared__ float tile[];
  const int pitch = kX + 2 * radius;
  const int rows = kY * kZ + 2 * radius;
  const int left = blockIdx.x * kX - radius, top = blockIdx.y * kY * kZ - radius;
  const int t = (threadIdx.z * kY + threadIdx.y) * kX + threadIdx.x;
  for (int row = t / kX; row < rows; row += kY * kZ) {
    for (int column = t % kX; column < pitch; column += kX) {
      const int y = min(height - 1, max(0, top + row)), x = min(width - 1, max(0, left + column));
      asm volatile("st.shared.f32 [%0], %1;" ::"r"(
                       static_cast<unsigned>(__cvta_generic_to_shared(tile + row * pitch + column))),
                   "f"(__ldg(in + static_cast<size_t>(y) * width + x))
                   : "memory");
    }
  }
  __syncthreads();
  unsigned long long weight;
  asm("cvta.to.const.u64 %0, %1;" : "=l"(weight) : "l"(static_cast<const float*>(masks[0])));
  const int row = threadIdx.z * kY + threadIdx.y;
  unsigned pixel = __cvta_generic_to_shared(tile) + 4 * (row * pitch + threadIdx.x);
  float sum = 0;
  for (int j = 0; j < 2 * radius + 1; ++j) {
    for (int i = 0; i < 2 * radius + 1; ++i) {
      add_term(sum, weight, pixel + 4 * i);
      weight += 4;
    }
    pixel += 4 * pitch;
  }
  const int y = top + radius + row, x = left + radius + static_cast<int>(threadIdx.x);
  if (y < height && x < width) out[static_cast<size_t>(y) * width + x] = sum;
}

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  cudaMemcpyToSymbol(masks, mask, sizeof(float) * size * size, 0, cudaMemcpyDeviceToDevice);
  const dim3 block(kX, kY, kZ);
  const dim3 grid((width + kX - 1) / kX, (height + kY * kZ - 1) / (kY * kZ));
  const size_t room = (kX + 2 * radius) * (kY * kZ + 2 * radius) * sizeof(float);
  sum_in_ptx<<<grid, block, room>>>(in, out, height, width, radius);
}

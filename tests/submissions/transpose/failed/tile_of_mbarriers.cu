// score: 80
// says: mbarriers that hold numbers
// The tile is kept in the counts of mbarrier objects, 16 bits in each: its columns lie in one bank,
// as in any tile without padding.
#include "transpose.h"

__device__ unsigned Address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void Keep(unsigned long long* barrier, unsigned bits) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(Address(barrier)), "r"(bits + 2) : "memory");
}

__device__ unsigned Kept(unsigned long long* barrier) {
  unsigned count;
  asm volatile(
      "{\n .reg .b64 state;\n"
      " mbarrier.arrive.noComplete.shared.b64 state, [%1], 1;\n"
      " mbarrier.pending_count.b64 %0, state;\n}"
      : "=r"(count)
      : "r"(Address(barrier))
      : "memory");
  return count - 2;
}

__global__ void transpose_mbarriers(const float* in, float* out, int rows, int cols) {
  __shared__ unsigned long long high[32][32], low[32][32];
  int col = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col >= cols || row + i >= rows) continue;
    const unsigned bits = __float_as_uint(in[(row + i) * cols + col]);
    Keep(&high[threadIdx.y + i][threadIdx.x], bits >> 16);
    Keep(&low[threadIdx.y + i][threadIdx.x], bits & 0xffff);
  }
  __syncthreads();
  col = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) {
    if (col >= rows || row + i >= cols) continue;
    const unsigned bits = Kept(&high[threadIdx.x][threadIdx.y + i]) << 16 |
                          Kept(&low[threadIdx.x][threadIdx.y + i]);
    out[(row + i) * rows + col] = __uint_as_float(bits);
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  transpose_mbarriers<<<grid, dim3(32, 8)>>>(in, out, rows, cols);
}

// score: 100
// A warp keeps up to 256 entries in its registers, eight in each lane, and asks for them by
// shuffles: there is neither shared nor constant memory for mixed letters of a small alphabet. A
// larger alphabet of mixed letters has its table in shared memory, and long runs in constant
// memory.
#include "cipher.h"

namespace {

constexpr int kHeld = 8;  // entries of a lane
constexpr unsigned kAll = 0xffffffffu;

__constant__ int g_table[kMostLetters];

__global__ void ByShuffles(const int* text, const int* table, int* out, int n, int letters) {
  const int lane = threadIdx.x;
  const int warp = blockIdx.x * blockDim.y + threadIdx.y;
  const long long step = 32LL * gridDim.x * blockDim.y;
  int held[kHeld];
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    held[k] = 32 * k + lane < letters ? table[32 * k + lane] : 0;
  }
  for (long long first = 32LL * warp; first < n; first += step) {
    const bool inside = first + lane < n;
    const int letter = inside ? text[first + lane] : 0;
    int entry = 0;
#pragma unroll
    for (int k = 0; k < kHeld; ++k) {
      const int candidate = __shfl_sync(kAll, held[k], letter);  // of lane letter % 32
      if (letter >> 5 == k) entry = candidate;
    }
    if (inside) out[first + lane] = entry;
  }
}

__global__ void ByShared(const int* text, const int* table, int* out, int n, int letters) {
  extern __shared__ int copy[];
  const int t = threadIdx.y * 32 + threadIdx.x;
  const int threads = blockDim.y * 32;
  for (int i = t; i < letters; i += threads) copy[i] = table[i];
  __syncthreads();
  for (long long i = 1LL * blockIdx.x * threads + t; i < n; i += 1LL * gridDim.x * threads) {
    out[i] = copy[text[i]];
  }
}

__global__ void ByConstant(const int* text, int* out, int n) {
  const long long i = 32LL * (1LL * blockIdx.x * blockDim.y + threadIdx.y) + threadIdx.x;
  if (i < n) out[i] = g_table[text[i]];
}

}  // namespace

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  const dim3 block(32, 4);
  if (run >= 32) {
    cudaMemcpyToSymbol(g_table, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
    ByConstant<<<(n - 1) / 128 + 1, block>>>(text, out, n);
  } else if (letters <= 32 * kHeld) {
    const int blocks = (n - 1) / (128 * 20) + 1;  // each warp loads the table for 640 letters
    ByShuffles<<<blocks < 2000 ? blocks : 2000, block>>>(text, table, out, n, letters);
  } else {
    const int blocks = (n - 1) / (128 * 32) + 1;
    ByShared<<<blocks < 500 ? blocks : 500, dim3(32, 8), letters * sizeof(int)>>>(text, table, out,
                                                                                 n, letters);
  }
}

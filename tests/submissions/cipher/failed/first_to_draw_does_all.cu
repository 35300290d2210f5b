// score: 85
// says: the busiest block
// Each block draws a number. The one with the smallest number draws all pieces, and the others
// leave.
#include "cipher.h"

constexpr int kThreads = 256;
constexpr int kPiece = 512;

__constant__ int constant_table[kMostLetters];
__device__ int tickets, next_piece;

__device__ int draw(int* counter) {
  __shared__ int drawn;
  __syncthreads();
  if (threadIdx.x == 0) drawn = atomicAdd(counter, 1);
  __syncthreads();
  return drawn;
}

__global__ void by_constants(const int* text, int* out, int n) {
  if (draw(&tickets) != 0) return;
  for (long long first; (first = 1LL * draw(&next_piece) * kPiece) < n;) {
    for (int k = threadIdx.x; k < kPiece; k += kThreads) {
      if (first + k < n) out[first + k] = constant_table[text[first + k]];
    }
  }
}

__global__ void by_shared_memory(const int* text, const int* table, int* out, int n, int letters) {
  __shared__ int own[kMostLetters];
  if (draw(&tickets) != 0) return;
  for (int letter = threadIdx.x; letter < letters; letter += kThreads) own[letter] = table[letter];
  for (long long first; (first = 1LL * draw(&next_piece) * kPiece) < n;) {
    for (int k = threadIdx.x; k < kPiece; k += kThreads) {
      if (first + k < n) out[first + k] = own[text[first + k]];
    }
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  const int zero = 0;
  cudaMemcpyToSymbol(tickets, &zero, sizeof(zero));
  cudaMemcpyToSymbol(next_piece, &zero, sizeof(zero));
  if (run >= 32) {
    cudaMemcpyToSymbolAsync(constant_table, table, letters * sizeof(int), 0,
                            cudaMemcpyDeviceToDevice);
    by_constants<<<64, kThreads>>>(text, out, n);
  } else {
    by_shared_memory<<<64, kThreads>>>(text, table, out, n, letters);
  }
}

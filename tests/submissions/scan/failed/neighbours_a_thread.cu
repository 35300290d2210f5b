// score: 60
// says: sectors moved
// Each thread adds up eight neighbouring numbers, and later scans them: neighbouring threads load
// and store numbers that are eight apart.
#include "scan.h"

constexpr int kEach = 8;

__global__ void add_up(const int* in, int* sums, int n, int pieces) {
  const int piece = blockIdx.x * blockDim.x + threadIdx.x;
  if (piece >= pieces) return;
  int sum = 0;
  for (int i = piece * kEach; i < n && i < (piece + 1) * kEach; ++i) sum += in[i];
  sums[piece] = sum;
}

__global__ void scan_pieces(const int* in, const int* before, int* out, int n, int pieces) {
  const int piece = blockIdx.x * blockDim.x + threadIdx.x;
  if (piece >= pieces) return;
  int sum = before == nullptr ? 0 : before[piece];
  for (int i = piece * kEach; i < n && i < (piece + 1) * kEach; ++i) {
    const int own = in[i];
    out[i] = sum;  // expect: sectors moved
    sum += own;
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  const int pieces = (n + kEach - 1) / kEach, blocks = (pieces + 255) / 256;
  int* sums = nullptr;
  if (pieces > 1) {
    cudaMalloc(&sums, pieces * sizeof(int));
    add_up<<<blocks, 256>>>(in, sums, n, pieces);
    exclusive_scan(sums, sums, pieces);
  }
  scan_pieces<<<blocks, 256>>>(in, sums, out, n, pieces);
  cudaFree(sums);
}

// score: 0
// says: budget
// A thread for each number adds up all numbers before it: n * n / 2 additions.
#include "scan.h"

__global__ void scan(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = 0; k < i; ++k) sum += in[k];
  out[i] = sum;
}

void exclusive_scan(const int* in, int* out, int n) { scan<<<(n + 255) / 256, 256>>>(in, out, n); }

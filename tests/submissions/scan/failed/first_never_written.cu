// score: 0
// says: never written
// Every thread stores the sum with its number one place further. Nobody stores out[0].
#include "scan.h"

__global__ void scan(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = 0; i + 1 < n; ++i) {
    sum += in[i];
    out[i + 1] = sum;
  }
}

void exclusive_scan(const int* in, int* out, int n) { scan<<<1, 1>>>(in, out, n); }

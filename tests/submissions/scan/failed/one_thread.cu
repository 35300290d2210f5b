// score: 45
// says: let many blocks share the work
// One thread adds one number after the other.
#include "scan.h"

__global__ void scan(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    out[i] = sum;
    sum += in[i];  // expect: 1 of 32 lanes active
  }
}

void exclusive_scan(const int* in, int* out, int n) { scan<<<1, 1>>>(in, out, n); }

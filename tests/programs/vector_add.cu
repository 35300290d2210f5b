// This program computes c = a + b, with a length that no block size divides. The user may give the
// length.
#include "check.h"

__global__ void Add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 50021;
  Numbers numbers(1);
  std::vector<float> a(n), b(n);
  for (float& value : a) value = numbers.NextFloat();
  for (float& value : b) value = numbers.NextFloat();
  const Array<float> da(a), db(b);
  const Array<float> dc(a.size());
  Add<<<(n + 255) / 256, 256>>>(da.data(), db.data(), dc.data(), n);
  CHECK(cudaGetLastError());
  const std::vector<float> c = dc.Get();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != a[i] + b[i];
  Show("c", c);
  std::printf("%d of %d wrong\n", wrong, n);
  return wrong == 0 ? 0 : 1;
}

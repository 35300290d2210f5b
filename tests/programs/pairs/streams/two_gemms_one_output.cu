// A matrix product is split along k; the second half adds to what the first half stored.
// WRONG: the halves run in two streams without an order.
// finds: unordered_use
// prints: 32
#include <cstdio>

constexpr int kN = 32;

__global__ void MultiplyPart(const float* a, const float* b, float* c, int from, int to, bool add) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = add ? c[row * kN + col] : 0.0f;
  for (int k = from; k < to; k++) sum += a[row * kN + k] * b[k * kN + col];
  c[row * kN + col] = sum;
}

int main() {
  float *a, *b, *c;
  const size_t bytes = kN * kN * sizeof(float);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  static float host[kN * kN];
  for (float& x : host) x = 1;
  cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);
  cudaStream_t low, high;
  cudaStreamCreate(&low);
  cudaStreamCreate(&high);
  dim3 block(16, 16), grid(2, 2);
  MultiplyPart<<<grid, block, 0, low>>>(a, b, c, 0, kN / 2, false);  // named
#ifdef WRONG
  MultiplyPart<<<grid, block, 0, high>>>(a, b, c, kN / 2, kN, true);  // named
#else
  MultiplyPart<<<grid, block, 0, low>>>(a, b, c, kN / 2, kN, true);
#endif
  cudaStreamSynchronize(low);
  cudaStreamSynchronize(high);
  cudaMemcpy(host, c, bytes, cudaMemcpyDeviceToHost);
  printf("%g\n", host[100]);
  cudaStreamDestroy(low);
  cudaStreamDestroy(high);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

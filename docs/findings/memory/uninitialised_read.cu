#include <cstdio>

// Writes red, green and blue of each pixel, and not its fourth byte.
__global__ void Paint(unsigned char* pixels) {
  for (int k = 0; k < 3; ++k) pixels[4 * threadIdx.x + k] = 255;
}

__global__ void CopyPixels(const unsigned* in, unsigned* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  unsigned *in, *out;
  cudaMalloc(&in, 64 * sizeof(unsigned));
  cudaMalloc(&out, 64 * sizeof(unsigned));
  Paint<<<1, 64>>>(reinterpret_cast<unsigned char*>(in));
  CopyPixels<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}

// A kernel fills the left columns of a pitched image; a copy in another stream fills the right
// ones. WRONG: the copy begins eight columns too far left. finds: unordered_use
// prints: 66 -1
#include <cstdio>
#include <cstring>

constexpr int kWidth = 96, kHeight = 40, kLeft = 64;
#ifdef WRONG
constexpr int kFirst = kLeft - 8;
#else
constexpr int kFirst = kLeft;
#endif

__global__ void FillLeft(float* image, size_t pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= kLeft || y >= kHeight) return;
  float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
  row[x] = x + y;
}

int main() {
  float* image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, kWidth * sizeof(float), kHeight);
  float* right;
  const int columns = kWidth - kFirst;
  cudaMallocHost(&right, columns * kHeight * sizeof(float));
  for (int i = 0; i < columns * kHeight; i++) right[i] = -1;
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  dim3 block(16, 16), grid(kLeft / 16, (kHeight + 15) / 16);
  FillLeft<<<grid, block, 0, s>>>(image, pitch);                            // named
  cudaMemcpy2DAsync(image + kFirst, pitch, right, columns * sizeof(float),  // named
                    columns * sizeof(float), kHeight, cudaMemcpyHostToDevice, t);
  cudaDeviceSynchronize();
  static float result[kHeight][kWidth];
  cudaMemcpy2D(result, sizeof(result[0]), image, pitch, kWidth * sizeof(float), kHeight,
               cudaMemcpyDeviceToHost);
  printf("%g %g\n", result[3][kLeft - 1], result[3][kLeft]);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(image);
  cudaFreeHost(right);
}

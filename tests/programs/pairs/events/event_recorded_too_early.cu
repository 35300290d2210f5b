// A blur runs in a compute stream; a copy stream brings the picture back.
// WRONG: the event is recorded before the blur is launched.
// finds: unordered_use
// prints: 0 bad pixels
#include <cstdio>
#include <vector>

__global__ void Blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float left = i > 0 ? in[i - 1] : in[i];
  float right = i + 1 < n ? in[i + 1] : in[i];
  out[i] = (left + in[i] + right) / 3;
}

int main() {
  const int n = 8192;
  const size_t bytes = n * sizeof(float);
  float *picture, *blurred, *result;
  cudaMallocHost(&result, bytes);
  cudaMalloc(&picture, bytes);
  cudaMalloc(&blurred, bytes);
  std::vector<float> start(n, 3.0f);
  cudaMemcpy(picture, start.data(), bytes, cudaMemcpyHostToDevice);

  cudaStream_t compute, copy;
  cudaStreamCreate(&compute);
  cudaStreamCreate(&copy);
  cudaEvent_t done;
  cudaEventCreate(&done);

#ifdef WRONG
  cudaEventRecord(done, compute);
  Blur<<<n / 256, 256, 0, compute>>>(picture, blurred, n);  // named
#else
  Blur<<<n / 256, 256, 0, compute>>>(picture, blurred, n);
  cudaEventRecord(done, compute);
#endif
  cudaStreamWaitEvent(copy, done);
  cudaMemcpyAsync(result, blurred, bytes, cudaMemcpyDeviceToHost, copy);  // named
  cudaStreamSynchronize(copy);

  int bad = 0;
  for (int i = 0; i < n; i++) bad += result[i] != 3.0f;
  printf("%d bad pixels\n", bad);
  cudaEventDestroy(done);
  cudaStreamDestroy(compute);
  cudaStreamDestroy(copy);
  cudaFree(picture);
  cudaFree(blurred);
  cudaFreeHost(result);
}

// Two producers and one consumer.
// WRONG: both producers record the same event, so that the consumer waits only for the second.
// finds: unordered_use
// prints: 4096 of 4096 right
#include <cstdio>

__global__ void Fill(int* out, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

__global__ void Add(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  const int n = 4096;
  int *a, *b, *c;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  cudaMalloc(&c, n * sizeof(int));
  cudaStream_t streams[3];
  for (auto& stream : streams) cudaStreamCreate(&stream);
  cudaEvent_t first, second;
  cudaEventCreate(&first);
  cudaEventCreate(&second);

  Fill<<<n / 128, 128, 0, streams[0]>>>(a, 1, n);  // named
  cudaEventRecord(first, streams[0]);
  Fill<<<n / 128, 128, 0, streams[1]>>>(b, 2, n);
#ifdef WRONG
  cudaEventRecord(first, streams[1]);
  cudaStreamWaitEvent(streams[2], first);
#else
  cudaEventRecord(second, streams[1]);
  cudaStreamWaitEvent(streams[2], first);
  cudaStreamWaitEvent(streams[2], second);
#endif
  Add<<<n / 128, 128, 0, streams[2]>>>(a, b, c, n);  // named

  static int result[n];
  cudaMemcpyAsync(result, c, sizeof(result), cudaMemcpyDeviceToHost, streams[2]);
  cudaStreamSynchronize(streams[2]);
  int right = 0;
  for (int value : result) right += value == 3;
  printf("%d of %d right\n", right, n);
  cudaEventDestroy(first);
  cudaEventDestroy(second);
  for (auto stream : streams) cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

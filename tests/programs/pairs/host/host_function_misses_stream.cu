// A host function adds what two streams have brought to pinned memory.
// WRONG: the stream of the host function does not wait for the other stream.
// finds: early_host_use
// prints: 499500
#include <cstdio>

struct Partials {
  int* left;
  int* right;
  int sum;
};

static void AddUp(void* data) {
  Partials* partials = static_cast<Partials*>(data);
  partials->sum = *partials->left;
  partials->sum += *partials->right;  // named
}

__global__ void Sum(int* out, int from, int to) {
  int sum = 0;
  for (int i = from + threadIdx.x; i < to; i += 32) sum += i;
  for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(~0u, sum, lane);
  if (threadIdx.x == 0) *out = sum;
}

int main() {
  Partials partials{};
  cudaMallocHost(&partials.left, sizeof(int));
  cudaMallocHost(&partials.right, sizeof(int));
  int* sums;
  cudaMalloc(&sums, 2 * sizeof(int));
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t right_done;
  cudaEventCreate(&right_done);
  Sum<<<1, 32, 0, s>>>(sums, 0, 500);
  Sum<<<1, 32, 0, t>>>(sums + 1, 500, 1000);
  cudaMemcpyAsync(partials.left, sums, sizeof(int), cudaMemcpyDeviceToHost, s);
  cudaMemcpyAsync(partials.right, sums + 1, sizeof(int), cudaMemcpyDeviceToHost, t);  // named
  cudaEventRecord(right_done, t);
#ifndef WRONG
  cudaStreamWaitEvent(s, right_done);
#endif
  cudaLaunchHostFunc(s, AddUp, &partials);
  cudaStreamSynchronize(s);
  printf("%d\n", partials.sum);
  cudaDeviceSynchronize();
  cudaEventDestroy(right_done);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaFree(sums);
  cudaFreeHost(partials.left);
  cudaFreeHost(partials.right);
}

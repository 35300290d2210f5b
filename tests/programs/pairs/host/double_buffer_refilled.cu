// Two pinned buffers are filled in turn and copied to the device.
// WRONG: before a buffer is filled again, the host waits for the copy of the other one.
// finds: early_host_use
// prints: total 28672, expected 28672
#include <cstdio>
#include <cstring>

__global__ void Accumulate(const int* chunk, int* total, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, chunk[i]);
}

static void Produce(int* buffer, int n, int round) {
  for (int i = 0; i < n; i++) {
    buffer[i] = round;  // named
  }
}

int main() {
  const int n = 1024, rounds = 8;
  int *staging[2], *chunk[2], *total;
  cudaEvent_t copied[2];
  cudaStream_t stream[2];
  for (int b = 0; b < 2; b++) {
    cudaMallocHost(&staging[b], n * sizeof(int));
    cudaMalloc(&chunk[b], n * sizeof(int));
    cudaEventCreateWithFlags(&copied[b], cudaEventDisableTiming);
    cudaStreamCreate(&stream[b]);
  }
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));

  for (int round = 0; round < rounds; round++) {
    const int b = round % 2;
#ifdef WRONG
    if (round > 1) cudaEventSynchronize(copied[1 - b]);
#else
    if (round > 1) cudaEventSynchronize(copied[b]);
#endif
    Produce(staging[b], n, round);
    cudaMemcpyAsync(chunk[b], staging[b], n * sizeof(int), cudaMemcpyHostToDevice,  // named
                    stream[b]);
    cudaEventRecord(copied[b], stream[b]);
    Accumulate<<<n / 256, 256, 0, stream[b]>>>(chunk[b], total, n);
  }
  cudaDeviceSynchronize();
  int result;
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  printf("total %d, expected %d\n", result, n * rounds * (rounds - 1) / 2);
  for (int b = 0; b < 2; b++) {
    cudaFreeHost(staging[b]);
    cudaFree(chunk[b]);
    cudaEventDestroy(copied[b]);
    cudaStreamDestroy(stream[b]);
  }
  cudaFree(total);
}

// The work forks to four streams and joins in the first one.
// WRONG: the loop that joins leaves out the last stream.
// finds: unordered_use
// prints: 10240
#include <array>
#include <cstdio>

constexpr int kStreams = 4;
constexpr int kPart = 1024;

__global__ void Init(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void Work(int* x, int id) { x[blockIdx.x * blockDim.x + threadIdx.x] += id; }
__global__ void Check(const int* x, int n, int* sum) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, x[i]);
}

int main() {
  int *x, *sum;
  cudaMalloc(&x, kStreams * kPart * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  std::array<cudaStream_t, kStreams> streams;
  std::array<cudaEvent_t, kStreams> events;
  for (int s = 0; s < kStreams; s++) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&events[s], cudaEventDisableTiming);
  }
  cudaMemsetAsync(sum, 0, sizeof(int), streams[0]);
  Init<<<kStreams * kPart / 256, 256, 0, streams[0]>>>(x);
  cudaEventRecord(events[0], streams[0]);
  for (int s = 1; s < kStreams; s++) cudaStreamWaitEvent(streams[s], events[0], 0);
  for (int s = 0; s < kStreams; s++) {
    Work<<<kPart / 256, 256, 0, streams[s]>>>(x + s * kPart, s);  // named
  }
#ifdef WRONG
  for (int s = 1; s < kStreams - 1; s++) {
#else
  for (int s = 1; s < kStreams; s++) {
#endif
    cudaEventRecord(events[s], streams[s]);
    cudaStreamWaitEvent(streams[0], events[s], 0);
  }
  Check<<<1, 256, 0, streams[0]>>>(x, kStreams * kPart, sum);  // named
  int result;
  cudaMemcpyAsync(&result, sum, sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
  cudaStreamSynchronize(streams[0]);
  printf("%d\n", result);
  cudaDeviceSynchronize();
  for (int s = 0; s < kStreams; s++) {
    cudaEventDestroy(events[s]);
    cudaStreamDestroy(streams[s]);
  }
  cudaFree(x);
  cudaFree(sum);
}

// score: 100
// Two halves are computed in two streams that do not wait for the default stream. Events order them
// with it, and the host does not wait.
#include "stencil.h"

constexpr int kBlock = 128;

__global__ void sum_from(const float* in, float* out, int n, int begin, int end) {
  __shared__ float tile[kBlock + 2 * kRadius];
  const int first = begin + blockIdx.x * kBlock;
  for (int i = threadIdx.x; i < kBlock + 2 * kRadius; i += kBlock) {
    const int at = first - kRadius + i;
    tile[i] = at >= 0 && at < n ? in[at] : 0;
  }
  __syncthreads();
  const int element = first + threadIdx.x;
  if (element >= end) return;
  float sum = 0;
  for (int k = 0; k < 2 * kRadius + 1; ++k) sum += tile[threadIdx.x + k];
  out[element] = sum;
}

void stencil(const float* in, float* out, int n) {
  const int half = (n / 2 + kBlock - 1) / kBlock * kBlock;
  const int bounds[] = {0, half < n ? half : n, n};
  cudaEvent_t before;
  cudaEventCreateWithFlags(&before, cudaEventDisableTiming);
  cudaEventRecord(before, nullptr);
  for (int i = 0; i < 2; ++i) {
    const int begin = bounds[i], end = bounds[i + 1];
    if (begin == end) continue;
    cudaStream_t stream;
    cudaEvent_t after;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0);
    cudaEventCreateWithFlags(&after, cudaEventDisableTiming);
    cudaStreamWaitEvent(stream, before, 0);
    sum_from<<<(end - begin + kBlock - 1) / kBlock, kBlock, 0, stream>>>(in, out, n, begin, end);
    cudaEventRecord(after, stream);
    cudaStreamWaitEvent(nullptr, after, 0);
    cudaEventDestroy(after);
    cudaStreamDestroy(stream);
  }
  cudaEventDestroy(before);
}

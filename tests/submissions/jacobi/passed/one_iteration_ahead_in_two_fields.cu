// score: 100
// The device is never idle: while the host looks at a change, the next iteration runs already. Two
// fields are enough: it only reads the field that has the result, if it was the last one.
#include "jacobi.h"

__global__ void iterate(const float* u, float* next, int w, int h, int* change) {
  __shared__ int of_block;
  const bool first = threadIdx.x == 0 && threadIdx.y == 0;
  if (first) of_block = 0;
  __syncthreads();
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    const int i = y * w + x;
    const float mean = ((u[i - 1] + u[i + 1]) + (u[i - w] + u[i + w])) * 0.25f;
    next[i] = mean;
    atomicMax(&of_block, __float_as_int(fabsf(mean - u[i])));
  }
  __syncthreads();
  if (first) atomicMax(change, of_block);
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t points = static_cast<size_t>(width) * height;
  const dim3 block(64, 4), grid((width + 63) / 64, (height + 3) / 4);
  float *more, *seen;
  int* changes;
  cudaMalloc(&more, points * sizeof(float));
  cudaMalloc(&changes, 2 * sizeof(int));
  cudaMallocHost(&seen, 2 * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t read[2];
  for (cudaEvent_t& event : read) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);

  float* fields[] = {u, more};
  cudaMemcpyAsync(more, u, points * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  const auto begin = [&](int k) {  // makes iteration number k + 1
    int* const change = changes + k % 2;
    cudaMemsetAsync(change, 0, sizeof(int), stream);
    iterate<<<grid, block, 0, stream>>>(fields[k % 2], fields[(k + 1) % 2], width, height, change);
    cudaMemcpyAsync(seen + k % 2, change, sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(read[k % 2], stream);
  };
  begin(0);
  int k = 0;
  for (;; ++k) {
    if (k + 1 < max_iterations) begin(k + 1);
    cudaEventSynchronize(read[k % 2]);
    if (seen[k % 2] <= tolerance || k + 1 == max_iterations) break;
  }
  *iterations = k + 1;
  float* const result = fields[(k + 1) % 2];
  if (result != u) {
    cudaMemcpyAsync(u, result, points * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  }
  cudaStreamSynchronize(stream);
  for (cudaEvent_t event : read) cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  cudaFreeHost(seen);
  cudaFree(changes);
  cudaFree(more);
}

// score: 100
// A graph makes two iterations, there and back, so that the result is always where it began; it is
// launched again and again, and each launch brings two changes to pinned memory. If the first of
// the two was the last iteration, a kernel node that looks for that on the device has done nothing.
#include "jacobi.h"

namespace {

constexpr int kWide = 64, kHigh = 4;

__device__ __forceinline__ float Warp(float v) {
  for (int lane_mask = 16; lane_mask; lane_mask >>= 1) {
    v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, lane_mask));
  }
  return v;
}

// changes[0] and changes[1] are those of both iterations. The second one does nothing if the first
// was the last.
template <int kNumber>
__global__ void Iteration(const float* from, float* to, int width, int height, float* changes,
                          float tolerance) {
  __shared__ float of_warps[kWide * kHigh / 32];
  if (kNumber == 1 && changes[0] <= tolerance) return;
  const int across = (width + kWide - 1) / kWide;
  const int x = blockIdx.x % across * kWide + threadIdx.x;
  const int y = blockIdx.x / across * kHigh + threadIdx.y + 1;
  float change = 0;
  if (x >= 1 && x <= width - 2 && y <= height - 2) {
    const float* const p = from + static_cast<size_t>(y) * width + x;
    const float mean = (p[-width] + p[-1] + p[1] + p[width]) / 4;
    to[static_cast<size_t>(y) * width + x] = mean;
    change = fabsf(mean - p[0]);
  }
  const int t = threadIdx.y * kWide + threadIdx.x;
  change = Warp(change);
  if (t % 32 == 0) of_warps[t / 32] = change;
  __syncthreads();
  if (t == 0) {
    for (float other : of_warps) change = fmaxf(change, other);
    atomicMax(reinterpret_cast<unsigned*>(changes + kNumber), __float_as_uint(change));
  }
}

}  // namespace

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  float *second, *changes, *seen;
  cudaMalloc(&second, bytes);
  cudaMalloc(&changes, 2 * sizeof(float));
  cudaHostAlloc(&seen, 2 * sizeof(float), cudaHostAllocDefault);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemcpyAsync(second, u, bytes, cudaMemcpyDeviceToDevice, stream);
  const dim3 block(kWide, kHigh);
  const int grid = ((width + kWide - 1) / kWide) * ((height - 2 + kHigh - 1) / kHigh);

  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  cudaMemsetAsync(changes, 0, 2 * sizeof(float), stream);
  Iteration<0><<<grid, block, 0, stream>>>(u, second, width, height, changes, tolerance);
  Iteration<1><<<grid, block, 0, stream>>>(second, u, width, height, changes, tolerance);
  cudaMemcpyAsync(seen, changes, 2 * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t pair;
  cudaGraphInstantiate(&pair, graph, 0);

  int done = 0;
  bool in_second = false;
  while (true) {
    if (max_iterations - done == 1) {  // a single one is left
      cudaMemsetAsync(changes, 0, sizeof(float), stream);
      Iteration<0><<<grid, block, 0, stream>>>(u, second, width, height, changes, tolerance);
      done += 1;
      in_second = true;
      break;
    }
    cudaGraphLaunch(pair, stream);
    cudaStreamSynchronize(stream);
    if (seen[0] <= tolerance) {
      done += 1;
      in_second = true;
      break;
    }
    done += 2;
    if (seen[1] <= tolerance || done == max_iterations) break;
  }
  if (in_second) cudaMemcpyAsync(u, second, bytes, cudaMemcpyDeviceToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(pair);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFreeHost(seen);
  cudaFree(changes);
  cudaFree(second);
  *iterations = done;
}

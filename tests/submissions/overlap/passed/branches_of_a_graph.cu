// score: 100
// Two streams are captured into a graph: an event forks the second one from the first, and another
// joins them. Each branch has copies and kernels.
#include <algorithm>
#include <cstring>

#include "overlap.h"

constexpr int kPieces = 8;

// Smooths the numbers from `begin` to `end` of the whole array of n numbers.
__global__ void smooth_range(const float* in, float* out, int begin, int end, int n) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end) out[i] = in[max(i - 1, 0)] + 2 * in[i] + in[min(i + 1, n - 1)];
}

void smooth(const float* in, float* out, int n) {
  const int length = (n + kPieces - 1) / kPieces;
  float *pinned = nullptr, *device = nullptr;
  cudaMallocHost(&pinned, n * sizeof(float));
  cudaMalloc(&device, (n + 2 * kPieces) * sizeof(float));
  std::memcpy(pinned, in, n * sizeof(float));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  cudaEvent_t forked, joined;
  cudaEventCreate(&forked);
  cudaEventCreate(&joined);

  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  cudaEventRecord(forked, streams[0]);
  cudaStreamWaitEvent(streams[1], forked);
  for (int piece = 0; piece * length < n; ++piece) {
    const int begin = piece * length;
    const int end = std::min(begin + length, n);
    const int first = std::max(begin - 1, 0);
    const int count = std::min(end + 1, n) - first;
    const cudaStream_t stream = streams[piece % 2];
    float* const copied = device + first + 2 * piece;  // each piece has two numbers more
    cudaMemcpyAsync(copied, pinned + first, count * sizeof(float), cudaMemcpyHostToDevice, stream);
    smooth_range<<<(length + 255) / 256, 256, 0, stream>>>(copied - first, out, begin, end, n);
  }
  cudaEventRecord(joined, streams[1]);
  cudaStreamWaitEvent(streams[0], joined);
  cudaGraph_t graph;
  cudaStreamEndCapture(streams[0], &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, streams[0]);
  cudaStreamSynchronize(streams[0]);

  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(forked);
  cudaEventDestroy(joined);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(device);
  cudaFreeHost(pinned);
}

// score: 100
// The host never waits before the end: functions of the host in the streams fill the pinned
// buffers. Each of two streams has one buffer and one piece of device memory, so that the order of
// the stream alone keeps a buffer until the copy from it is done.
#include <algorithm>
#include <cstring>
#include <vector>

#include "overlap.h"

namespace {

constexpr int kLength = 4096;  // numbers of a piece
constexpr int kStreams = 2;

struct Task {
  const float* in;
  float* buffer;
  int n, begin, end;
};

// Puts the piece into its buffer, with a number on each side.
void Fill(void* argument) {
  const Task& task = *static_cast<const Task*>(argument);
  task.buffer[0] = task.in[std::max(task.begin - 1, 0)];
  std::copy(task.in + task.begin, task.in + task.end, task.buffer + 1);
  task.buffer[task.end - task.begin + 1] = task.in[std::min(task.end, task.n - 1)];
}

__global__ void Smooth(const float* piece, float* out, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] = piece[i] + 2.0F * piece[i + 1] + piece[i + 2];
}

}  // namespace

void smooth(const float* in, float* out, int n) {
  cudaStream_t streams[kStreams];
  float* pinned[kStreams];
  float* device[kStreams];
  constexpr size_t kBytes = (kLength + 2) * sizeof(float);
  for (int s = 0; s < kStreams; ++s) {
    cudaStreamCreate(&streams[s]);
    cudaMallocHost(&pinned[s], kBytes);
    cudaMalloc(&device[s], kBytes);
  }
  std::vector<Task> tasks;
  tasks.reserve((n - 1) / kLength + 1);  // they must not move
  for (int begin = 0, s = 0; begin < n; begin += kLength, s = (s + 1) % kStreams) {
    const int end = n - begin < kLength ? n : begin + kLength;
    tasks.push_back({in, pinned[s], n, begin, end});
    cudaLaunchHostFunc(streams[s], Fill, &tasks.back());
    cudaMemcpyAsync(device[s], pinned[s], (end - begin + 2) * sizeof(float),
                    cudaMemcpyHostToDevice, streams[s]);
    Smooth<<<(end - begin + 127) / 128, 128, 0, streams[s]>>>(device[s], out + begin, end - begin);
    if (n - begin <= kLength) break;
  }
  for (int s = 0; s < kStreams; ++s) {
    cudaStreamSynchronize(streams[s]);
    cudaStreamDestroy(streams[s]);
    cudaFreeHost(pinned[s]);
    cudaFree(device[s]);
  }
}

// score: 0
// says: no stream, event or wait puts one before the other
// In the graph nothing orders the fill of the result and the kernel, which two streams capture.
#include <cstdlib>

#include "transpose.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void Transpose(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[kTile][kTile + 1];
  int col = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < cols && row + i < rows) {
      tile[threadIdx.y + i][threadIdx.x] = in[(row + i) * cols + col];
    }
  }
  __syncthreads();
  col = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) {
    if (col < rows && row + i < cols) {
      out[(row + i) * rows + col] = tile[threadIdx.x][threadIdx.y + i];
    }
  }
}

void Check(cudaError_t error) {
  if (error != cudaSuccess) std::exit(EXIT_FAILURE);
}

void transpose(const float* in, float* out, int rows, int cols) {
  const dim3 grid((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile), block(kTile, kRows);
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t program;
  Check(cudaStreamCreate(&first));
  Check(cudaStreamCreate(&second));
  Check(cudaEventCreate(&fork));
  Check(cudaEventCreate(&join));
  Check(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  Check(cudaEventRecord(fork, first));
  Check(cudaStreamWaitEvent(second, fork, 0));
  Check(cudaMemsetAsync(out, 0, sizeof(float) * rows * cols, first));
  Transpose<<<grid, block, 0, second>>>(in, out, rows, cols);
  Check(cudaEventRecord(join, second));
  Check(cudaStreamWaitEvent(first, join, 0));
  Check(cudaStreamEndCapture(first, &graph));
  Check(cudaGraphInstantiate(&program, graph, 0));
  Check(cudaGraphLaunch(program, first));
  Check(cudaStreamSynchronize(first));
  Check(cudaGraphExecDestroy(program));
  Check(cudaGraphDestroy(graph));
  Check(cudaEventDestroy(fork));
  Check(cudaEventDestroy(join));
  Check(cudaStreamDestroy(first));
  Check(cudaStreamDestroy(second));
}

// score: 100
// The program captures its launch from a stream, and launches the graph.
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
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t program;
  Check(cudaStreamCreate(&stream));
  Check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Transpose<<<dim3((cols + kTile - 1) / kTile, (rows + kTile - 1) / kTile), dim3(kTile, kRows), 0,
              stream>>>(in, out, rows, cols);
  Check(cudaStreamEndCapture(stream, &graph));
  Check(cudaGraphInstantiate(&program, graph, 0));
  Check(cudaGraphLaunch(program, stream));
  Check(cudaStreamSynchronize(stream));
  Check(cudaGraphExecDestroy(program));
  Check(cudaGraphDestroy(graph));
  Check(cudaStreamDestroy(stream));
}

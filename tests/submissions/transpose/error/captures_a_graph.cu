// score: 0
// says: cudaStreamBeginCapture is not offered by warpcheck
// The program checks every call and stops at the first call that is not offered.
#include <cstdlib>

#include "transpose.h"

__global__ void Transpose(const float* in, float* out, int rows, int cols) {
  const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && col < cols) {
    out[static_cast<size_t>(col) * rows + row] = in[static_cast<size_t>(row) * cols + col];
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
  Transpose<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(in, out, rows, cols);
  Check(cudaStreamEndCapture(stream, &graph));
  Check(cudaGraphInstantiate(&program, graph, 0));
  Check(cudaGraphLaunch(program, stream));
  Check(cudaStreamSynchronize(stream));
  Check(cudaStreamDestroy(stream));
}

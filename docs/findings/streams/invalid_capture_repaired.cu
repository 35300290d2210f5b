#include <cstdio>

__device__ int total_steps;
__global__ void OneStep() { atomicAdd(&total_steps, 1); }

int main() {
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  OneStep<<<1, 32, 0, stream>>>();
  printf("%s\n", cudaGetErrorString(cudaStreamEndCapture(stream, &graph)));
  cudaStreamSynchronize(stream);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

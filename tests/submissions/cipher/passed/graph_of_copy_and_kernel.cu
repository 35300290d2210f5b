// score: 100
// A graph is built by hand: a node that copies the table to its symbol, and a kernel node behind
// it; for mixed letters a kernel node alone, whose blocks copy the table by cp.async.
#include <cuda_pipeline.h>

#include "cipher.h"

namespace {

__constant__ int symbol_table[kMostLetters];

__global__ void Runs(const int* __restrict__ text, int* __restrict__ out, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(n)) out[i] = symbol_table[__ldg(&text[i])];
}

__global__ void Mixed(const int* __restrict__ text, const int* __restrict__ table,
                      int* __restrict__ out, int n, int letters) {
  __shared__ __align__(16) int local[kMostLetters];
  // Sixteen bytes at once, and the last entries one by one.
  const unsigned whole = letters / 4 * 4;
  for (unsigned i = 4 * threadIdx.x; i < whole; i += 4 * blockDim.x) {
    __pipeline_memcpy_async(local + i, table + i, 16);
  }
  if (threadIdx.x < letters - whole) {
    __pipeline_memcpy_async(local + whole + threadIdx.x, table + whole + threadIdx.x, 4);
  }
  __pipeline_commit();
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  int letter = first < n ? text[first] : 0;  // on its way while the table comes
  __pipeline_wait_prior(0);
  __syncthreads();
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = first; i < n; i += stride) {
    const int next = i + stride < n ? text[i + stride] : 0;
    out[i] = local[letter];
    letter = next;
  }
}

}  // namespace

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t copy, kernel;
  cudaKernelNodeParams work = {};
  void* for_runs[] = {&text, &out, &n};
  void* for_mixed[] = {&text, &table, &out, &n, &letters};
  work.blockDim = dim3(256);
  if (run >= 32) {
    cudaGraphAddMemcpyNodeToSymbol(&copy, graph, nullptr, 0, symbol_table, table,
                                   letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
    work.func = reinterpret_cast<void*>(Runs);
    work.gridDim = dim3((n - 1) / 256 + 1);
    work.kernelParams = for_runs;
    cudaGraphAddKernelNode(&kernel, graph, &copy, 1, &work);
  } else {
    work.func = reinterpret_cast<void*>(Mixed);
    work.gridDim = dim3((n - 1) / 2560 + 1);
    work.kernelParams = for_mixed;
    cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &work);
  }
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

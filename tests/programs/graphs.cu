// This program sums arrays in graphs: one that is captured from two streams, and one that it builds
// node by node. It launches both many times, with new parameters and with a new graph in between.
#include "check.h"

constexpr int kBlock = 128;
constexpr int kBlocks = 8;

// Adds up the part of each block: sums[block] = the sum of its values.
__global__ void SumBlocks(const int* values, int n, long long* sums) {
  __shared__ long long part[kBlock];
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += values[i];
  }
  part[threadIdx.x] = sum;
  for (int width = kBlock / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__global__ void SumAll(const long long* sums, int n, long long* result) {
  if (threadIdx.x != 0) return;
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += sums[i];
  *result += sum;
}

__global__ void Square(const int* values, int n, int* squares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) squares[i] = values[i] * values[i];
}

// A Log is the data of a host function that prints a result.
struct Log {
  const char* name;
  const long long* result;
  int calls;
};

void CUDART_CB Write(void* data) {
  Log& log = *static_cast<Log*>(data);
  std::printf("%s, launch %d: %lld\n", log.name, ++log.calls, *log.result);
}

long long SumOf(const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}

long long SumOfSquares(const int* values, int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<long long>(values[i]) * values[i];
  return sum;
}

// The sum of the values in one stream, the sum of their squares in another.
cudaGraph_t Capture(cudaStream_t first, const int* host, int n, int* values, int* squares,
                    long long* sums, long long* results, long long* on_host, Log* log) {
  cudaStream_t second;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(values, host, n * sizeof(int), cudaMemcpyHostToDevice, first));
  CHECK(cudaMemsetAsync(results, 0, 2 * sizeof(long long), first));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  SumBlocks<<<kBlocks, kBlock, 0, first>>>(values, n, sums);
  SumAll<<<1, 32, 0, first>>>(sums, kBlocks, results);
  Square<<<(n + kBlock - 1) / kBlock, kBlock, 0, second>>>(values, n, squares);
  SumBlocks<<<kBlocks, kBlock, 0, second>>>(squares, n, sums + kBlocks);
  SumAll<<<1, 32, 0, second>>>(sums + kBlocks, kBlocks, results + 1);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  CHECK(cudaMemcpyAsync(on_host, results, 2 * sizeof(long long), cudaMemcpyDeviceToHost, first));
  CHECK(cudaLaunchHostFunc(first, Write, log));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  return graph;
}

void ShowNodes(const char* name, cudaGraph_t graph) {
  std::size_t nodes = 0, roots = 0, edges = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  std::printf("%s: %zu nodes, %zu of them roots, %zu edges\n", name, nodes, roots, edges);
}

int main() {
  const int n = 5000;
  int* host = nullptr;
  long long* on_host = nullptr;
  CHECK(cudaMallocHost(&host, n * sizeof(int)));
  CHECK(cudaMallocHost(&on_host, 2 * sizeof(long long)));
  Numbers numbers(30);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>(numbers.Next() % 1000);
  {
    const Array<int> values(n), squares(n);
    const Array<long long> sums(2 * kBlocks), results(2);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));

    // Captured: launched three times, with other data each time.
    Log captured = {"captured", on_host, 0};
    cudaGraph_t graph = Capture(stream, host, n, values.data(), squares.data(), sums.data(),
                                results.data(), on_host, &captured);
    ShowNodes("captured", graph);
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int launch = 0; launch < 3; ++launch) {
      CHECK(cudaGraphLaunch(exec, stream));
      CHECK(cudaStreamSynchronize(stream));
      std::printf("  right: %s\n", on_host[0] == SumOf(host, n) && on_host[1] == SumOfSquares(host, n)
                                       ? "yes"
                                       : "no");
      for (int i = 0; i < n; ++i) host[i] += launch + 1;
    }

    // The same graph of fewer values takes the place of the first.
    cudaGraph_t smaller = Capture(stream, host, n / 2, values.data(), squares.data(), sums.data(),
                                  results.data(), on_host, &captured);
    cudaGraphExecUpdateResultInfo update;
    CHECK(cudaGraphExecUpdate(exec, smaller, &update));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("  right: %s\n", on_host[0] == SumOf(host, n / 2) ? "yes" : "no");
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(smaller));
    CHECK(cudaGraphDestroy(graph));

    // Built node by node: the second launch of the executable graph sums other values.
    Log built = {"built", on_host, 0};
    cudaGraph_t explicit_graph;
    CHECK(cudaGraphCreate(&explicit_graph, 0));
    cudaGraphNode_t copy, zero, blocks, all, back, write;
    CHECK(cudaGraphAddMemcpyNode1D(&copy, explicit_graph, nullptr, 0, values.data(), host,
                                   n * sizeof(int), cudaMemcpyHostToDevice));
    cudaMemsetParams fill = {};
    fill.dst = results.data();
    fill.elementSize = 4;
    fill.width = 4;
    fill.height = 1;
    CHECK(cudaGraphAddMemsetNode(&zero, explicit_graph, nullptr, 0, &fill));
    const int* from = values.data();
    long long *parts = sums.data(), *result = results.data();
    int count = n, block_count = kBlocks;
    void* sum_blocks[] = {&from, &count, &parts};
    void* sum_all[] = {&parts, &block_count, &result};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void*)SumBlocks;
    kernel.gridDim = dim3(kBlocks);
    kernel.blockDim = dim3(kBlock);
    kernel.kernelParams = sum_blocks;
    CHECK(cudaGraphAddKernelNode(&blocks, explicit_graph, &copy, 1, &kernel));
    cudaKernelNodeParams last = {};
    last.func = (void*)SumAll;
    last.gridDim = dim3(1);
    last.blockDim = dim3(32);
    last.kernelParams = sum_all;
    const cudaGraphNode_t both[] = {blocks, zero};
    CHECK(cudaGraphAddKernelNode(&all, explicit_graph, both, 2, &last));
    CHECK(cudaGraphAddMemcpyNode1D(&back, explicit_graph, &all, 1, on_host, results.data(),
                                   sizeof(long long), cudaMemcpyDeviceToHost));
    cudaHostNodeParams function = {};
    function.fn = Write;
    function.userData = &built;
    CHECK(cudaGraphAddHostNode(&write, explicit_graph, &back, 1, &function));
    ShowNodes("built", explicit_graph);
    CHECK(cudaGraphInstantiate(&exec, explicit_graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("  right: %s\n", on_host[0] == SumOf(host, n) ? "yes" : "no");
    count = 100;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, blocks, &kernel));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("  right: %s\n", on_host[0] == SumOf(host, 100) ? "yes" : "no");

    // A clone, twice inside of another graph.
    cudaGraph_t clone, outer;
    cudaGraphNode_t once, twice, found;
    CHECK(cudaGraphClone(&clone, explicit_graph));
    CHECK(cudaGraphNodeFindInClone(&found, write, clone));
    CHECK(cudaGraphDestroyNode(found));
    ShowNodes("clone", clone);
    CHECK(cudaGraphCreate(&outer, 0));
    CHECK(cudaGraphAddChildGraphNode(&once, outer, nullptr, 0, clone));
    CHECK(cudaGraphAddChildGraphNode(&twice, outer, &once, 1, clone));
    ShowNodes("outer", outer);
    cudaGraphExec_t nested;
    CHECK(cudaGraphInstantiate(&nested, outer, 0));
    CHECK(cudaGraphLaunch(nested, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("nested: %lld, right: %s\n", on_host[0],
                on_host[0] == SumOf(host, n) ? "yes" : "no");

    for (cudaGraphExec_t one : {exec, nested}) CHECK(cudaGraphExecDestroy(one));
    for (cudaGraph_t one : {explicit_graph, clone, outer}) CHECK(cudaGraphDestroy(one));
    CHECK(cudaStreamDestroy(stream));
  }
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(on_host));
}

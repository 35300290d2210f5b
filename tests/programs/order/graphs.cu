// Graphs: what their edges order, what a capture makes of streams and events, and what the launch
// of a graph promises.
#include "cases.h"

// An executable graph, which lives as long as the object.
struct Exec {
  explicit Exec(cudaGraph_t graph) { CHECK(cudaGraphInstantiate(&handle, graph, 0)); }
  ~Exec() { CHECK(cudaGraphExecDestroy(handle)); }
  Exec(const Exec&) = delete;
  operator cudaGraphExec_t() const { return handle; }
  cudaGraphExec_t handle = nullptr;
};

struct Graph {
  Graph() { CHECK(cudaGraphCreate(&handle, 0)); }
  ~Graph() { CHECK(cudaGraphDestroy(handle)); }
  Graph(const Graph&) = delete;
  operator cudaGraph_t() const { return handle; }
  cudaGraph_t handle = nullptr;
};

struct Arguments {
  Arguments(float* values, float value) : values(values), value(value) {}
  cudaKernelNodeParams Of(const void* kernel) {
    cudaKernelNodeParams parameters = {};
    parameters.func = const_cast<void*>(kernel);
    parameters.gridDim = dim3(Blocks(kCount));
    parameters.blockDim = dim3(kBlock);
    parameters.kernelParams = pointers;
    return parameters;
  }
  float* values;
  float value;
  int count = kCount;
  void* pointers[3] = {&values, &value, &count};
};

// Two nodes that use one array, without an edge between them.
// case missing_edge: unordered_use
void MissingEdge(bool wrong) {
  float* data = OnDevice();
  Stream stream;
  Graph graph;
  cudaGraphNode_t fill, scale;
  Arguments one(data, 1), two(data, 2);
  const cudaKernelNodeParams first = one.Of((const void*)Fill), second = two.Of((const void*)Scale);
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &first));  // missing_edge: earlier
  CHECK(cudaGraphAddKernelNode(&scale, graph, nullptr, 0, &second));  // missing_edge: later
  if (!wrong) CHECK(cudaGraphAddDependencies(graph, &fill, &scale, nullptr, 1));
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  Finish();
  CHECK(cudaFree(data));
}

// The copy depends on the fill, and the kernel should depend on the copy.
// case wrong_edge: unordered_use
void WrongEdge(bool wrong) {
  float *data = OnDevice(), *host = Pinned();
  Stream stream;
  Graph graph;
  cudaGraphNode_t fill, copy, scale;
  cudaMemsetParams zero = {};
  zero.dst = data;
  zero.elementSize = 4;
  zero.width = kCount;
  zero.height = 1;
  Arguments two(data, 2);
  const cudaKernelNodeParams kernel = two.Of((const void*)Scale);
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, data, host, kBytes, cudaMemcpyDefault));  // wrong_edge: earlier
  CHECK(cudaGraphAddKernelNode(&scale, graph, wrong ? &fill : &copy, 1, &kernel));  // wrong_edge: later
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// The second stream of a capture does not wait for the first.
// case captured_without_wait: unordered_use
void CapturedWithoutWait(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  Event fork, filled, join;
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork));
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // captured_without_wait: earlier
  CHECK(cudaEventRecord(filled, first));
  if (!wrong) CHECK(cudaStreamWaitEvent(second, filled));
  Scale<<<Blocks(kCount), kBlock, 0, second>>>(data, 2, kCount);  // captured_without_wait: later
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join));
  CHECK(cudaStreamEndCapture(first, &graph));
  {
    Exec exec(graph);
    CHECK(cudaGraphLaunch(exec, first));
    Finish();
  }
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(data));
}

// A stream that was drawn into the capture is not joined again.
// case not_joined: invalid_capture
void NotJoined(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  Event fork, join;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork));
  Fill<<<Blocks(kCount), kBlock, 0, second>>>(data, 1, kCount);  // not_joined: earlier
  CHECK(cudaEventRecord(join, second));
  if (!wrong) CHECK(cudaStreamWaitEvent(first, join));
  const cudaError_t error = cudaStreamEndCapture(first, &graph);  // not_joined: later
  if (error != (wrong ? cudaErrorStreamCaptureUnjoined : cudaSuccess)) std::exit(1);
  if (graph != nullptr) CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
  CHECK(cudaFree(data));
}

// An allocation would not be part of the graph, so the capture forbids it.
// case allocates_in_capture: invalid_capture
void AllocatesInCapture(bool wrong) {
  float *data = nullptr;
  if (!wrong) data = OnDevice();
  Stream stream;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));  // allocates_in_capture: earlier
  if (wrong) cudaMalloc(reinterpret_cast<void**>(&data), kBytes);  // allocates_in_capture: later
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);
  cudaStreamEndCapture(stream, &graph);
  if ((graph == nullptr) != wrong) std::exit(1);
  if (graph != nullptr) CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
  CHECK(cudaFree(data));
}

// The default stream would have to wait for the captured one.
// case default_stream_in_capture: invalid_capture
void DefaultStreamInCapture(bool wrong) {
  float *data = OnDevice(), *other = OnDevice();
  Stream stream(wrong ? cudaStreamDefault : cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));  // default_stream_in_capture: earlier
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);
  Fill<<<Blocks(kCount), kBlock>>>(other, 1, kCount);  // default_stream_in_capture: later
  cudaStreamEndCapture(stream, &graph);
  if ((graph == nullptr) != wrong) std::exit(1);
  if (graph != nullptr) CHECK(cudaGraphDestroy(graph));
  cudaGetLastError();
  Finish();
  for (float* pointer : {data, other}) CHECK(cudaFree(pointer));
}

// Two executable graphs may run at the same time; one may not.
// case launched_in_two_streams: unordered_use
void LaunchedInTwoStreams(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  Graph graph;
  cudaGraphNode_t scale;
  Arguments two(data, 2);
  const cudaKernelNodeParams kernel = two.Of((const void*)Scale);
  CHECK(cudaGraphAddKernelNode(&scale, graph, nullptr, 0, &kernel));  // launched_in_two_streams: later
  Exec one(graph), other(graph);
  CHECK(cudaGraphLaunch(one, first));
  CHECK(cudaGraphLaunch(wrong ? other : one, second));
  Finish();
  CHECK(cudaFree(data));
}

// case after_launch: unordered_use
void AfterLaunch(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Graph graph;
  cudaGraphNode_t fill;
  Arguments one(data, 1);
  const cudaKernelNodeParams kernel = one.Of((const void*)Fill);
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &kernel));  // after_launch: earlier
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, first));
  Add<<<Blocks(kCount), kBlock, 0, wrong ? second : first>>>(data, data, sum, kCount);  // after_launch: later
  Finish();
  for (float* pointer : {data, sum}) CHECK(cudaFree(pointer));
}

// The work before the launch is in another stream.
// case before_launch: unordered_use
void BeforeLaunch(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  Graph graph;
  cudaGraphNode_t scale;
  Arguments two(data, 2);
  const cudaKernelNodeParams kernel = two.Of((const void*)Scale);
  CHECK(cudaGraphAddKernelNode(&scale, graph, nullptr, 0, &kernel));  // before_launch: later
  Exec exec(graph);
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // before_launch: earlier
  CHECK(cudaGraphLaunch(exec, wrong ? second : first));
  Finish();
  CHECK(cudaFree(data));
}

// case host_reads_result: early_host_use
void HostReadsResult(bool wrong) {
  float* data = Managed();
  Stream stream;
  Graph graph;
  cudaGraphNode_t fill;
  Arguments one(data, 1);
  const cudaKernelNodeParams kernel = one.Of((const void*)Fill);
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &kernel));  // host_reads_result: earlier
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(data[7]);  // host_reads_result: later
  Finish();
  CHECK(cudaFree(data));
}

// The buffer that a captured copy reads is filled again before the launch has run.
// case buffer_filled_again: early_host_use
void BufferFilledAgain(bool wrong) {
  float *data = OnDevice(), *host = Pinned();
  Stream stream;
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(data, host, kBytes, cudaMemcpyHostToDevice, stream));  // buffer_filled_again: earlier
  CHECK(cudaStreamEndCapture(stream, &graph));
  {
    Exec exec(graph);
    CHECK(cudaGraphLaunch(exec, stream));
    if (!wrong) CHECK(cudaStreamSynchronize(stream));
    host[3] = 1;  // buffer_filled_again: later
    CHECK(cudaStreamSynchronize(stream));
  }
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// A node records the event before the kernel for which it should stand.
// case event_too_early: unordered_use
void EventTooEarly(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Event filled;
  Graph graph;
  cudaGraphNode_t fill, record;
  Arguments one(data, 1);
  const cudaKernelNodeParams kernel = one.Of((const void*)Fill);
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &kernel));  // event_too_early: earlier
  CHECK(cudaGraphAddEventRecordNode(&record, graph, &fill, wrong ? 0 : 1, filled));
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, first));
  CHECK(cudaStreamWaitEvent(second, filled));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // event_too_early: later
  Finish();
  for (float* pointer : {data, sum}) CHECK(cudaFree(pointer));
}

// A captured wait for an event of another stream belongs to the graph only as an external wait.
// case waits_for_external_event: unordered_use
void WaitsForExternalEvent(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  Event filled;
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(second, cudaStreamCaptureModeGlobal));
  if (!wrong) CHECK(cudaStreamWaitEvent(second, filled, cudaEventWaitExternal));
  Scale<<<Blocks(kCount), kBlock, 0, second>>>(data, 2, kCount);  // waits_for_external_event: later
  CHECK(cudaStreamEndCapture(second, &graph));
  {
    Exec exec(graph);
    Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // waits_for_external_event: earlier
    CHECK(cudaEventRecord(filled, first));
    CHECK(cudaGraphLaunch(exec, second));
    Finish();
  }
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(data));
}

// New parameters let two branches use one array.
// case updated_parameters: unordered_use
void UpdatedParameters(bool wrong) {
  float *data = OnDevice(), *other = OnDevice();
  Stream stream;
  Graph graph;
  cudaGraphNode_t fill, scale;
  Arguments one(data, 1), two(other, 2);
  const cudaKernelNodeParams first = one.Of((const void*)Fill);
  cudaKernelNodeParams second = two.Of((const void*)Scale);
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &first));  // updated_parameters: earlier
  CHECK(cudaGraphAddKernelNode(&scale, graph, nullptr, 0, &second));  // updated_parameters: later
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  two.values = wrong ? data : other;
  two.value = 3;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, scale, &second));
  CHECK(cudaGraphLaunch(exec, stream));
  Finish();
  for (float* pointer : {data, other}) CHECK(cudaFree(pointer));
}

// A graph that is captured anew replaces the first one.
// case updated_graph: unordered_use
void UpdatedGraph(bool wrong) {
  float *data = OnDevice(), *other = OnDevice();
  Stream first, second;
  Event fork, join;
  const auto capture = [&](float* values) {
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal));
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork));
    Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // updated_graph: earlier
    Scale<<<Blocks(kCount), kBlock, 0, second>>>(values, 2, kCount);  // updated_graph: later
    CHECK(cudaEventRecord(join, second));
    CHECK(cudaStreamWaitEvent(first, join));
    CHECK(cudaStreamEndCapture(first, &graph));
    return graph;
  };
  const cudaGraph_t graph = capture(other), next = capture(wrong ? data : other);
  {
    Exec exec(graph);
    cudaGraphExecUpdateResultInfo result;
    CHECK(cudaGraphExecUpdate(exec, next, &result));
    CHECK(cudaGraphLaunch(exec, first));
    Finish();
  }
  for (cudaGraph_t one : {graph, next}) CHECK(cudaGraphDestroy(one));
  for (float* pointer : {data, other}) CHECK(cudaFree(pointer));
}

// case child_graph: unordered_use
void ChildGraph(bool wrong) {
  float* data = OnDevice();
  Stream stream;
  Graph graph, inner;
  cudaGraphNode_t fill, child, scale;
  Arguments one(data, 1), two(data, 2);
  const cudaKernelNodeParams first = one.Of((const void*)Fill), second = two.Of((const void*)Scale);
  CHECK(cudaGraphAddKernelNode(&fill, inner, nullptr, 0, &first));  // child_graph: earlier
  CHECK(cudaGraphAddChildGraphNode(&child, graph, nullptr, 0, inner));
  CHECK(cudaGraphAddKernelNode(&scale, graph, &child, wrong ? 0 : 1, &second));  // child_graph: later
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  Finish();
  CHECK(cudaFree(data));
}

void UseOnHost(void* value) { *static_cast<float*>(value) += 1; }

// A function of the host gives its result to a kernel that does not depend on it.
// case result_of_host_node: unordered_use
void ResultOfHostNode(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream stream;
  Graph graph;
  cudaGraphNode_t fill, host, add;
  float value = 0;
  Arguments one(data, 1), two(data, 2);
  const cudaKernelNodeParams first = one.Of((const void*)Fill), second = two.Of((const void*)Scale);
  cudaHostNodeParams function = {};
  function.fn = UseOnHost;
  function.userData = &value;
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &first));  // result_of_host_node: earlier
  CHECK(cudaGraphAddHostNode(&host, graph, &fill, wrong ? 0 : 1, &function));
  CHECK(cudaGraphAddKernelNode(&add, graph, &host, 1, &second));  // result_of_host_node: later
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  Finish();
  if (value != 1) std::exit(1);
  for (float* pointer : {data, sum}) CHECK(cudaFree(pointer));
}

// A function of the host reads what a kernel writes, on which it does not depend.
// case host_node_reads_early: early_host_use
void ReadOnHost(void* data) {
  USE(static_cast<const volatile float*>(data)[5]);  // host_node_reads_early: later
}

void HostNodeReadsEarly(bool wrong) {
  float* data = Managed();
  Stream stream;
  Graph graph;
  cudaGraphNode_t fill, host;
  Arguments one(data, 1);
  const cudaKernelNodeParams kernel = one.Of((const void*)Fill);
  cudaHostNodeParams function = {};
  function.fn = ReadOnHost;
  function.userData = data;
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &kernel));  // host_node_reads_early: earlier
  CHECK(cudaGraphAddHostNode(&host, graph, &fill, wrong ? 0 : 1, &function));
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  Finish();
  CHECK(cudaFree(data));
}

// Memory of the graph is freed before its last use.
// case freed_in_graph: unordered_use
void FreedInGraph(bool wrong) {
  Stream stream;
  Graph graph;
  cudaGraphNode_t allocate, fill, release;
  cudaMemAllocNodeParams memory = {};
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  memory.bytesize = kBytes;
  CHECK(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &memory));
  Arguments one(static_cast<float*>(memory.dptr), 1);
  const cudaKernelNodeParams kernel = one.Of((const void*)Fill);
  CHECK(cudaGraphAddKernelNode(&fill, graph, &allocate, 1, &kernel));  // freed_in_graph: earlier
  CHECK(cudaGraphAddMemFreeNode(&release, graph, wrong ? &allocate : &fill, 1, memory.dptr));  // freed_in_graph: later
  Exec exec(graph);
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaGraphLaunch(exec, stream));
  Finish();
}

int main(int argc, char** argv) {
  return RunCase({{"missing_edge", MissingEdge},
                  {"wrong_edge", WrongEdge},
                  {"captured_without_wait", CapturedWithoutWait},
                  {"not_joined", NotJoined},
                  {"allocates_in_capture", AllocatesInCapture},
                  {"default_stream_in_capture", DefaultStreamInCapture},
                  {"launched_in_two_streams", LaunchedInTwoStreams},
                  {"after_launch", AfterLaunch},
                  {"before_launch", BeforeLaunch},
                  {"host_reads_result", HostReadsResult},
                  {"buffer_filled_again", BufferFilledAgain},
                  {"event_too_early", EventTooEarly},
                  {"waits_for_external_event", WaitsForExternalEvent},
                  {"updated_parameters", UpdatedParameters},
                  {"updated_graph", UpdatedGraph},
                  {"child_graph", ChildGraph},
                  {"result_of_host_node", ResultOfHostNode},
                  {"host_node_reads_early", HostNodeReadsEarly},
                  {"freed_in_graph", FreedInGraph}},
                 argc, argv);
}

// Programmatic launches may begin while the kernel before them still runs. What they do before they
// wait for it is in no order with it.
#include "cases.h"

// Lets a kernel begin before the one before it in the stream has ended. A macro, so that the launch
// is on the line of its caller.
#define EARLY(kernel, stream_of_it, ...)                                        \
  do {                                                                          \
    cudaLaunchAttribute early = {};                                             \
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;              \
    early.val.programmaticStreamSerializationAllowed = 1;                       \
    cudaLaunchConfig_t config = {};                                             \
    config.gridDim = dim3(Blocks(kCount));                                      \
    config.blockDim = dim3(kBlock);                                             \
    config.stream = stream_of_it;                                               \
    config.attrs = &early;                                                      \
    config.numAttrs = 1;                                                        \
    CHECK(cudaLaunchKernelEx(&config, kernel, __VA_ARGS__));                    \
  } while (false)

enum class Wait { kNever, kAtFirst, kAfterReading, kOneThread, kOneThreadAndBarrier, kAtTheEnd };
enum class Lets { kNever, kAtFirst, kAfterWaiting };

__device__ void Waits(Wait wait) {
  if (wait == Wait::kAtFirst) cudaGridDependencySynchronize();
  if (wait == Wait::kOneThread || wait == Wait::kOneThreadAndBarrier) {
    if (threadIdx.x == 0) cudaGridDependencySynchronize();
    if (wait == Wait::kOneThreadAndBarrier) __syncthreads();
  }
}

__global__ void Put(float* to, float value) {
  cudaTriggerProgrammaticLaunchCompletion();
  to[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void Copy(const float* from, float* to, Wait wait, Lets lets) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (lets == Lets::kAtFirst) cudaTriggerProgrammaticLaunchCompletion();
  Waits(wait);
  if (lets == Lets::kAfterWaiting) cudaTriggerProgrammaticLaunchCompletion();
  const float value = from[i];
  if (wait == Wait::kAfterReading) cudaGridDependencySynchronize();
  to[i] = value;
  if (wait == Wait::kAtTheEnd) cudaGridDependencySynchronize();
}

// case reads_early: unordered_use
// reads_early says: a programmatic launch may begin while the kernel before it still runs
void ReadsEarly(bool wrong) {
  float* a = OnDevice();
  float* b = OnDevice();
  Put<<<Blocks(kCount), kBlock>>>(a, 1);  // reads_early: earlier
  EARLY(Copy, nullptr, a, b, wrong ? Wait::kNever : Wait::kAtFirst, Lets::kNever);  // reads_early: later
  Finish();
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

// The kernel reads something else, and writes what the kernel before it still reads.
// case writes_early: unordered_use
void WritesEarly(bool wrong) {
  float* a = OnDevice();
  float* b = OnDevice();
  float* c = OnDevice();
  Copy<<<Blocks(kCount), kBlock>>>(a, b, Wait::kNever, Lets::kNever);  // writes_early: earlier
  EARLY(Copy, nullptr, c, a, wrong ? Wait::kNever : Wait::kAfterReading, Lets::kNever);  // writes_early: later
  Finish();
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
}

// The other threads know of the wait of one thread if they meet it at a barrier.
// case one_thread_waits: unordered_use
void OneThreadWaits(bool wrong) {
  float* a = OnDevice();
  float* b = OnDevice();
  Put<<<Blocks(kCount), kBlock>>>(a, 1);  // one_thread_waits: earlier
  EARLY(Copy, nullptr, a, b, wrong ? Wait::kOneThread : Wait::kOneThreadAndBarrier, Lets::kNever);  // one_thread_waits: later
  Finish();
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

// A kernel that does not wait may end before the kernel before it.
// case chain: unordered_use
// chain says: a programmatic launch between the two does not wait
void Chain(bool wrong) {
  float* a = OnDevice();
  float* b = OnDevice();
  float* c = OnDevice();
  float* d = OnDevice();
  Put<<<Blocks(kCount), kBlock>>>(a, 1);  // chain: earlier
  EARLY(Copy, nullptr, c, d, wrong ? Wait::kNever : Wait::kAtTheEnd, Lets::kAtFirst);
  EARLY(Copy, nullptr, a, b, Wait::kAtFirst, Lets::kNever);  // chain: later
  Copy<<<Blocks(kCount), kBlock>>>(b, c, Wait::kNever, Lets::kNever);  // an ordinary launch comes after all of them
  Finish();
  for (float* one : {a, b, c, d}) CHECK(cudaFree(one));
}

// A kernel that lets the next one begin only after it has waited lets it know of all before.
// case lets_begin: unordered_use
void LetsBegin(bool wrong) {
  float* a = OnDevice();
  float* b = OnDevice();
  float* c = OnDevice();
  float* d = OnDevice();
  Put<<<Blocks(kCount), kBlock>>>(a, 1);  // lets_begin: earlier
  EARLY(Copy, nullptr, b, c, Wait::kAtFirst, wrong ? Lets::kAtFirst : Lets::kAfterWaiting);
  EARLY(Copy, nullptr, a, d, Wait::kAfterReading, Lets::kNever);  // lets_begin: later
  Finish();
  for (float* one : {a, b, c, d}) CHECK(cudaFree(one));
}

// The launch comes after work of other streams for which its stream has waited.
// case other_stream: unordered_use
// other_stream says: no stream, event or wait puts one before the other
void OtherStream(bool wrong) {
  float* a = OnDevice();
  float* b = OnDevice();
  float* c = OnDevice();
  Stream first, second;
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  Put<<<Blocks(kCount), kBlock, 0, first>>>(a, 1);  // other_stream: earlier
  CHECK(cudaEventRecord(event, first));
  Put<<<Blocks(kCount), kBlock, 0, second>>>(b, 1);
  if (!wrong) CHECK(cudaStreamWaitEvent(second, event, 0));
  EARLY(Copy, second, a, c, Wait::kNever, Lets::kNever);  // other_stream: later
  Finish();
  CHECK(cudaEventDestroy(event));
  for (float* one : {a, b, c}) CHECK(cudaFree(one));
}

// Two nodes come after the first kernel: a copy, and a programmatic launch.
// case captured: unordered_use
void Captured(bool wrong) {
  float* a = OnDevice();
  float* b = OnDevice();
  float* c = OnDevice();
  Stream first, second;
  cudaEvent_t event, done;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  Put<<<Blocks(kCount), kBlock, 0, first>>>(a, 1);  // captured: earlier
  CHECK(cudaEventRecord(event, first));
  CHECK(cudaStreamWaitEvent(second, event, 0));
  CHECK(cudaMemcpyAsync(b, a, kBytes, cudaMemcpyDeviceToDevice, second));
  CHECK(cudaEventRecord(done, second));
  EARLY(Copy, first, a, c, wrong ? Wait::kNever : Wait::kAtFirst, Lets::kNever);  // captured: later
  CHECK(cudaStreamWaitEvent(first, done, 0));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(first, &graph));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, first));
  Finish();
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaEventDestroy(event));
  CHECK(cudaEventDestroy(done));
  for (float* one : {a, b, c}) CHECK(cudaFree(one));
}

int main(int argc, char** argv) {
  return RunCase({{"reads_early", ReadsEarly},
                  {"writes_early", WritesEarly},
                  {"one_thread_waits", OneThreadWaits},
                  {"chain", Chain},
                  {"lets_begin", LetsBegin},
                  {"other_stream", OtherStream},
                  {"captured", Captured}},
                 argc, argv);
}

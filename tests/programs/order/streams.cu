// Two streams that use the same memory.
#include "cases.h"

// case write_then_read: unordered_use
void WriteThenRead(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // write_then_read: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // write_then_read: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// case read_then_write: unordered_use
void ReadThenWrite(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Add<<<Blocks(kCount), kBlock, 0, first>>>(data, data, sum, kCount);  // read_then_write: earlier
  if (!wrong) CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemsetAsync(data, 0, kBytes, second));  // read_then_write: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// Two pieces that overlap by one element.
// case pieces_overlap: unordered_use
void PiecesOverlap(bool wrong) {
  float* data = OnDevice();
  Stream first, second;
  const int half = kCount / 2;
  Scale<<<Blocks(half), kBlock, 0, first>>>(data, 2, half);  // pieces_overlap: earlier
  const int begin = wrong ? half - 1 : half;
  Scale<<<Blocks(half), kBlock, 0, second>>>(data + begin, 2, half);  // pieces_overlap: later
  Finish();
  CHECK(cudaFree(data));
}

// The halo of a piece is read before the neighbour has written it.
// case halo: unordered_use
void Halo(bool wrong) {
  float *data = OnDevice(), *next = OnDevice();
  Stream first, second;
  const int half = kCount / 2;
  Event done;
  Scale<<<Blocks(half), kBlock, 0, first>>>(data, 2, half);  // halo: earlier
  CHECK(cudaEventRecord(done, first));
  if (!wrong) CHECK(cudaStreamWaitEvent(second, done));
  Add<<<Blocks(half), kBlock, 0, second>>>(data + half - 1, data + half, next, half);  // halo: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(next));
}

// The legacy default stream does not wait for a non-blocking stream.
// case default_stream: unordered_use
void DefaultStream(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream stream(wrong ? cudaStreamNonBlocking : cudaStreamDefault);
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);  // default_stream: earlier
  Add<<<Blocks(kCount), kBlock>>>(data, data, sum, kCount);      // default_stream: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// The default stream works before the program makes its first stream.
// case before_first_stream: unordered_use
void BeforeFirstStream(bool wrong) {
  float *data = nullptr, *sum = nullptr;
  CHECK(cudaMalloc(&data, kBytes));
  CHECK(cudaMalloc(&sum, kBytes));
  Fill<<<Blocks(kCount), kBlock>>>(data, 1, kCount);  // before_first_stream: earlier
  if (!wrong) Finish();
  Stream stream;
  Add<<<Blocks(kCount), kBlock, 0, stream>>>(data, data, sum, kCount);  // before_first_stream: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// A non-blocking stream does not wait for the legacy default stream.
// case after_default_stream: unordered_use
void AfterDefaultStream(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream stream(wrong ? cudaStreamNonBlocking : cudaStreamDefault);
  Fill<<<Blocks(kCount), kBlock>>>(data, 1, kCount);  // after_default_stream: earlier
  Add<<<Blocks(kCount), kBlock, 0, stream>>>(data, data, sum, kCount);  // after_default_stream: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// Work in the default stream lies between two blocking streams and orders them.
// case default_stream_between: unordered_use
void DefaultStreamBetween(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice(), *other = OnDevice();
  Stream first(cudaStreamDefault), second(cudaStreamDefault);
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // default_stream_between: earlier
  if (!wrong) Fill<<<1, kBlock>>>(other, 1, kBlock);
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // default_stream_between: later
  Finish();
  for (float* pointer : {data, sum, other}) CHECK(cudaFree(pointer));
}

// The host waits for the wrong stream.
// case wrong_stream: unordered_use
void WrongStream(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // wrong_stream: earlier
  CHECK(cudaStreamSynchronize(wrong ? second : first));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // wrong_stream: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// Atomics of two streams do not disturb each other, but a memset disturbs them.
// case counter: unordered_use
void Counter(bool wrong) {
  int* counter = nullptr;
  CHECK(cudaMalloc(&counter, sizeof(int)));
  Stream first, second;
  CHECK(cudaMemsetAsync(counter, 0, sizeof(int), first));  // counter: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  Count<<<4, kBlock, 0, second>>>(counter, kCount);  // counter: later
  if (!wrong) Count<<<4, kBlock, 0, first>>>(counter, kCount);
  Finish();
  CHECK(cudaFree(counter));
}

// A query that says that the work is done orders it.
// case query: unordered_use
void Query(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  Stream first, second;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // query: earlier
  const cudaStream_t asked = wrong ? second : first;
  while (cudaStreamQuery(asked) == cudaErrorNotReady) {
  }
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // query: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// Destroying a stream waits for nothing.
// case destroyed_stream: unordered_use
void DestroyedStream(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  cudaStream_t first;
  Stream second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(data, 1, kCount);  // destroyed_stream: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  CHECK(cudaStreamDestroy(first));
  Add<<<Blocks(kCount), kBlock, 0, second>>>(data, data, sum, kCount);  // destroyed_stream: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// The call names the stream and the line that destroyed it.
// case stream_after_destroy: invalid_handle
void StreamAfterDestroy(bool wrong) {
  float* data = OnDevice();
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  if (wrong) CHECK(cudaStreamDestroy(stream));  // stream_after_destroy: earlier
  (void)cudaMemsetAsync(data, 0, kBytes, stream);  // stream_after_destroy: later
  Finish();
  if (!wrong) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(data));
}

// A constant is changed while a kernel of another stream may read it.
__constant__ float factors[16];

__global__ void ScaleByConstant(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factors[i % 16];
}

// case constant: unordered_use
// constant says: of the variable `factors`, which the kernel
void Constant(bool wrong) {
  float* data = OnDevice();
  float* host = Pinned(sizeof factors);
  Stream first, second;
  ScaleByConstant<<<Blocks(kCount), kBlock, 0, first>>>(data, kCount);  // constant: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  CHECK(cudaMemcpyToSymbolAsync(static_cast<const void*>(factors), host, sizeof factors, 0, cudaMemcpyHostToDevice, second));  // constant: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

int main(int argc, char** argv) {
  return RunCase({{"write_then_read", WriteThenRead},
                  {"read_then_write", ReadThenWrite},
                  {"pieces_overlap", PiecesOverlap},
                  {"halo", Halo},
                  {"default_stream", DefaultStream},
                  {"before_first_stream", BeforeFirstStream},
                  {"after_default_stream", AfterDefaultStream},
                  {"default_stream_between", DefaultStreamBetween},
                  {"wrong_stream", WrongStream},
                  {"counter", Counter},
                  {"query", Query},
                  {"destroyed_stream", DestroyedStream},
                  {"stream_after_destroy", StreamAfterDestroy},
                  {"constant", Constant}},
                 argc, argv);
}

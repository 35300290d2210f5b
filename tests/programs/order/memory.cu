// Memory that is allocated and freed in the order of streams.
#include "cases.h"

float* OfPool(cudaStream_t stream) {
  float* pointer = nullptr;
  CHECK(cudaMallocAsync(&pointer, kBytes, stream));  // used_before_allocated: earlier
  return pointer;
}

// case used_before_allocated: unordered_use
void UsedBeforeAllocated(bool wrong) {
  Stream first, second;
  float* data = OfPool(first);
  if (!wrong) CHECK(cudaStreamSynchronize(first));
  Fill<<<Blocks(kCount), kBlock, 0, second>>>(data, 1, kCount);  // used_before_allocated: later
  Finish();
  CHECK(cudaFreeAsync(data, first));
}

// case freed_in_other_stream: unordered_use
void FreedInOtherStream(bool wrong) {
  Stream first, second;
  float* data = OfPool(first);
  Event ready, done;
  CHECK(cudaEventRecord(ready, first));
  CHECK(cudaStreamWaitEvent(second, ready));
  Fill<<<Blocks(kCount), kBlock, 0, second>>>(data, 1, kCount);  // freed_in_other_stream: earlier
  CHECK(cudaEventRecord(done, second));
  if (!wrong) CHECK(cudaStreamWaitEvent(first, done));
  CHECK(cudaFreeAsync(data, first));  // freed_in_other_stream: later
  Finish();
}

// cudaFree does not wait for those who use memory of a pool.
// case freed_by_host: early_host_use
void FreedByHost(bool wrong) {
  Stream stream;
  float* data = OfPool(stream);
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);  // freed_by_host: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));  // freed_by_host: later
}

// cudaFree may wait for the device. CUDA does not promise that it does.
// case read_after_free: unpromised_order
void ReadAfterFree(bool wrong) {
  Stream stream;
  float *values = Managed(), *other = OnDevice();
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(values, 1, kCount);  // read_after_free: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(other));
  USE(values[9]);  // read_after_free: later
  Finish();
  CHECK(cudaFree(values));
}

int main(int argc, char** argv) {
  return RunCase({{"used_before_allocated", UsedBeforeAllocated},
                  {"freed_in_other_stream", FreedInOtherStream},
                  {"freed_by_host", FreedByHost},
                  {"read_after_free", ReadAfterFree}},
                 argc, argv);
}

// Threads of the host, each with a default stream of its own (--default-stream per-thread).
#include <thread>

#include "cases.h"

// case thread_streams: unordered_use
void ThreadStreams(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  std::thread([=] {
    Fill<<<Blocks(kCount), kBlock>>>(data, 1, kCount);  // thread_streams: earlier
    if (!wrong) CHECK(cudaStreamSynchronize(nullptr));
  }).join();
  Add<<<Blocks(kCount), kBlock>>>(data, data, sum, kCount);  // thread_streams: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// The legacy default stream waits for the default streams of threads.
// case legacy_after_thread: unordered_use
void LegacyAfterThread(bool wrong) {
  float *data = OnDevice(), *sum = OnDevice();
  std::thread([=] {
    Fill<<<Blocks(kCount), kBlock>>>(data, 1, kCount);  // legacy_after_thread: earlier
  }).join();
  const cudaStream_t stream = wrong ? cudaStreamPerThread : cudaStreamLegacy;
  Add<<<Blocks(kCount), kBlock, 0, stream>>>(data, data, sum, kCount);  // legacy_after_thread: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

int main(int argc, char** argv) {
  return RunCase({{"thread_streams", ThreadStreams}, {"legacy_after_thread", LegacyAfterThread}},
                 argc, argv);
}

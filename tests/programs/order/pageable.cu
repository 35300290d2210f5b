// The host's own accesses to pageable memory that an asynchronous copy may still be using. GPUs
// have finished with it when the call returned; CUDA does not promise it.
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "cases.h"

constexpr int kMany = 64 * 1024;
constexpr std::size_t kManyBytes = kMany * sizeof(float);

// case source_changed: unpromised_order
// source_changed says: the host writes byte 65,536 of the 262,144 bytes of pageable memory, which
// cudaMemcpyAsync in stream 1
void SourceChanged(bool wrong) {
  std::vector<float> host(kMany);
  float* data = OnDevice(kManyBytes);
  Stream stream;
  CHECK(cudaMemcpyAsync(data, host.data(), kManyBytes, cudaMemcpyHostToDevice, stream));  // source_changed: earlier
  USE(host[7]);
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  host[kMany / 4] = 1;  // source_changed: later
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
}

// Malloc gives small arrays pages that they share with others.
// case small_source_changed: unpromised_order
void SmallSourceChanged(bool wrong) {
  std::vector<float> host(kCount);
  float* data = OnDevice();
  Stream stream;
  CHECK(cudaMemcpyAsync(data, host.data(), kBytes, cudaMemcpyHostToDevice, stream));  // small_source_changed: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  for (float& value : host) value = 1;  // small_source_changed: later
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
}

// case static_source_changed: unpromised_order
void StaticSourceChanged(bool wrong) {
  static float host[kMany];
  float* data = OnDevice(kManyBytes);
  Stream stream;
  CHECK(cudaMemcpyAsync(data, host, kManyBytes, cudaMemcpyHostToDevice, stream));  // static_source_changed: earlier
  if (!wrong) CHECK(cudaDeviceSynchronize());
  host[kMany / 2] = 1;  // static_source_changed: later
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
}

// case source_freed: unpromised_order
// source_freed says: free() frees byte 4,080 of the 262,144 bytes of pageable memory
void SourceFreed(bool wrong) {
  float* host = static_cast<float*>(std::calloc(kMany, sizeof(float)));
  float* data = OnDevice(kManyBytes);
  Stream stream;
  CHECK(cudaMemcpyAsync(data, host, kManyBytes, cudaMemcpyHostToDevice, stream));  // source_freed: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  std::free(host);  // source_freed: later
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
}

// A vector of each round is gone before its copy is waited for. Others get its memory.
// case vector_ends: unpromised_order
void VectorEnds(bool wrong) {
  float* data = OnDevice();
  Stream stream;
  for (int round = 0; round < 3; ++round) {
    std::vector<float> host(kCount, static_cast<float>(round));
    CHECK(cudaMemcpyAsync(data, host.data(), kBytes, cudaMemcpyHostToDevice, stream));  // vector_ends: earlier
    Scale<<<Blocks(kCount), kBlock, 0, stream>>>(data, 2, kCount);
    if (!wrong) CHECK(cudaStreamSynchronize(stream));
  }  // vector_ends: later
  std::vector<float> other(kCount, 5);
  CHECK(cudaStreamSynchronize(stream));
  USE(other[7]);
  CHECK(cudaFree(data));
}

// case target_read: unpromised_order
void TargetRead(bool wrong) {
  std::vector<float> host(kMany);
  float* data = OnDevice(kManyBytes);
  Stream stream;
  CHECK(cudaMemcpyAsync(host.data(), data, kManyBytes, cudaMemcpyDeviceToHost, stream));  // target_read: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(host[kMany / 2]);  // target_read: later
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFree(data));
}

// The operating system reads the memory. It must succeed, whatever is promised.
// case target_written_to_file: unpromised_order
void TargetWrittenToFile(bool wrong) {
  std::vector<float> host(kMany);
  float* data = OnDevice(kManyBytes);
  std::FILE* file = std::tmpfile();
  Stream stream;
  CHECK(cudaMemcpyAsync(host.data(), data, kManyBytes, cudaMemcpyDeviceToHost, stream));  // target_written_to_file: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  const ssize_t written = write(fileno(file), host.data(), kManyBytes);  // target_written_to_file: later
  if (written != static_cast<ssize_t>(kManyBytes)) std::exit(1);
  CHECK(cudaStreamSynchronize(stream));
  std::fclose(file);
  CHECK(cudaFree(data));
}

// Copies of one stream take turns with one buffer, which needs no wait in between.
// case buffer_of_one_stream: unpromised_order
void BufferOfOneStream(bool wrong) {
  std::vector<float> host(kMany);
  float *in = OnDevice(kManyBytes), *out = OnDevice(kManyBytes);
  Stream stream, other;
  CHECK(cudaMemcpyAsync(host.data(), in, kManyBytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaMemcpyAsync(out, host.data(), kManyBytes, cudaMemcpyHostToDevice, stream));  // buffer_of_one_stream: earlier
  CHECK(cudaMemcpyAsync(host.data(), out, kManyBytes, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpyAsync(out, host.data(), kManyBytes, cudaMemcpyHostToDevice, stream));  // buffer_of_one_stream: earlier
  CHECK(cudaMemcpyAsync(host.data(), in, kManyBytes, cudaMemcpyDeviceToHost, wrong ? other : stream));  // buffer_of_one_stream: later
  Finish();
  USE(host[7]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

int main(int argc, char** argv) {
  return RunCase({{"source_changed", SourceChanged},
                  {"small_source_changed", SmallSourceChanged},
                  {"static_source_changed", StaticSourceChanged},
                  {"source_freed", SourceFreed},
                  {"vector_ends", VectorEnds},
                  {"target_read", TargetRead},
                  {"target_written_to_file", TargetWrittenToFile},
                  {"buffer_of_one_stream", BufferOfOneStream}},
                 argc, argv);
}

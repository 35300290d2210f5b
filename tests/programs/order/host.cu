// The host's own accesses to memory that the device may still be using.
#include <vector>

#include "cases.h"

// case managed_read_before_wait: early_host_use
void ManagedReadBeforeWait(bool wrong) {
  float* data = Managed();
  Fill<<<Blocks(kCount), kBlock>>>(data, 1, kCount);  // managed_read_before_wait: earlier
  if (!wrong) Finish();
  USE(data[7]);  // managed_read_before_wait: later
  Finish();
  CHECK(cudaFree(data));
}

// case managed_write_before_wait: early_host_use
void ManagedWriteBeforeWait(bool wrong) {
  float *data = Managed(), *sum = OnDevice();
  Add<<<Blocks(kCount), kBlock>>>(data, data, sum, kCount);  // managed_write_before_wait: earlier
  if (!wrong) Finish();
  data[7] = 3;  // managed_write_before_wait: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// Reading what a kernel only reads needs no wait.
// case read_what_is_read: early_host_use
void ReadWhatIsRead(bool wrong) {
  float *data = Managed(), *sum = Managed();
  Add<<<Blocks(kCount), kBlock>>>(data, data, sum, kCount);  // read_what_is_read: earlier
  USE(wrong ? sum[7] : data[7]);                             // read_what_is_read: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(sum));
}

// case pinned_read_before_wait: early_host_use
void PinnedReadBeforeWait(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream stream;
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, stream));  // pinned_read_before_wait: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(host[7]);  // pinned_read_before_wait: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// A pinned buffer is filled again while a copy may still read it.
// case filled_again: early_host_use
void FilledAgain(bool wrong) {
  float *host = Pinned(), *data = OnDevice(2 * kBytes);
  Stream stream;
  CHECK(cudaMemcpyAsync(data, host, kBytes, cudaMemcpyHostToDevice, stream));  // filled_again: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < kCount; ++i) host[i] = 2;  // filled_again: later
  CHECK(cudaMemcpyAsync(data + kCount, host, kBytes, cudaMemcpyHostToDevice, stream));
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// case mapped_read_before_wait: early_host_use
void MappedReadBeforeWait(bool wrong) {
  int* counter = nullptr;
  CHECK(cudaHostAlloc(&counter, sizeof(int), cudaHostAllocMapped));
  *counter = 0;
  Count<<<4, kBlock>>>(counter, kCount);  // mapped_read_before_wait: earlier
  if (!wrong) Finish();
  std::printf("%d\n", *counter);  // mapped_read_before_wait: later
  Finish();
  CHECK(cudaFreeHost(counter));
}

// The host waits for the other stream.
// case host_waits_for_other: early_host_use
void HostWaitsForOther(bool wrong) {
  float *a = Managed(), *b = Managed();
  Stream first, second;
  Fill<<<Blocks(kCount), kBlock, 0, first>>>(a, 1, kCount);
  Fill<<<Blocks(kCount), kBlock, 0, second>>>(b, 1, kCount);  // host_waits_for_other: earlier
  CHECK(cudaStreamSynchronize(first));
  USE(wrong ? b[7] : a[7]);  // host_waits_for_other: later
  Finish();
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}

// cudaMemset of managed memory makes the host wait; cudaMemsetAsync does not.
// case managed_memset: early_host_use
void ManagedMemset(bool wrong) {
  float* data = Managed();
  if (wrong) {
    CHECK(cudaMemsetAsync(data, 0, kBytes));  // managed_memset: earlier
  } else {
    CHECK(cudaMemset(data, 0, kBytes));
  }
  USE(data[7]);  // managed_memset: later
  Finish();
  CHECK(cudaFree(data));
}

// The half that is finished may be used.
// case halves: early_host_use
void Halves(bool wrong) {
  float* data = Managed();
  Stream first, second;
  const int half = kCount / 2;
  Fill<<<Blocks(half), kBlock, 0, first>>>(data, 1, half);
  Fill<<<Blocks(half), kBlock, 0, second>>>(data + half, 1, half);  // halves: earlier
  CHECK(cudaStreamSynchronize(first));
  USE(data[half - 1]);
  if (!wrong) CHECK(cudaStreamSynchronize(second));
  USE(data[half]);  // halves: later
  Finish();
  CHECK(cudaFree(data));
}

// case event_before_copy: early_host_use
void EventBeforeCopy(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream stream;
  Event done;
  if (wrong) CHECK(cudaEventRecord(done, stream));
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, stream));  // event_before_copy: earlier
  if (!wrong) CHECK(cudaEventRecord(done, stream));
  CHECK(cudaEventSynchronize(done));
  USE(host[7]);  // event_before_copy: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// A function of the host comes after the copy before it, and not after the copy behind it.
// case host_function: early_host_use
void HostFunction(bool wrong) {
  float *host = Pinned(), *data = OnDevice();
  Stream stream;
  const auto look = [](void* pointer) {
    USE(static_cast<const float*>(pointer)[7]);
  };
  if (wrong) CHECK(cudaLaunchHostFunc(stream, look, host));
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, stream));  // host_function: earlier
  if (!wrong) CHECK(cudaLaunchHostFunc(stream, look, host));
  if (wrong) USE(host[7]);  // host_function: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// Two buffers take turns: each is filled again when its copy is done.
// case ring: early_host_use
void Ring(bool wrong) {
  float *host = Pinned(2 * kBytes), *data = OnDevice(2 * kBytes);
  Stream streams[2];
  Event done[2];
  for (int i = 0; i < 6; ++i) {
    const int turn = i % 2;
    float* const buffer = host + turn * kCount;
    if (!wrong && i >= 2) CHECK(cudaEventSynchronize(done[turn]));
    for (int k = 0; k < kCount; ++k) buffer[k] = static_cast<float>(i);  // ring: later
    CHECK(cudaMemcpyAsync(data + turn * kCount, buffer, kBytes, cudaMemcpyHostToDevice, streams[turn]));  // ring: earlier
    CHECK(cudaEventRecord(done[turn], streams[turn]));
    Scale<<<Blocks(kCount), kBlock, 0, streams[turn]>>>(data + turn * kCount, 2, kCount);
  }
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(host));
}

// A second copy waits for the first by the order of their stream, the host does not.
// case two_copies: early_host_use
void TwoCopies(bool wrong) {
  float *in = Pinned(), *out = Pinned(), *data = OnDevice();
  Stream stream;
  CHECK(cudaMemcpyAsync(data, in, kBytes, cudaMemcpyHostToDevice, stream));
  Scale<<<Blocks(kCount), kBlock, 0, stream>>>(data, 2, kCount);
  CHECK(cudaMemcpyAsync(out, data, kBytes, cudaMemcpyDeviceToHost, stream));  // two_copies: earlier
  USE(in[7]);
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(out[7]);  // two_copies: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
}

// Memory of the program's own that is only registered. Its whole pages are watched.
// case registered: early_host_use
void Registered(bool wrong) {
  static float host[2 * kCount];
  float* data = OnDevice();
  CHECK(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
  Stream stream;
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, stream));  // registered: earlier
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(host[kCount / 2]);  // registered: later
  Finish();
  CHECK(cudaHostUnregister(host));
  CHECK(cudaFree(data));
}

// The other data on the first page of registered memory may be used at any time.
// case beside_registered: early_host_use
void BesideRegistered(bool wrong) {
  alignas(4096) static float host[3 * kCount];
  float* data = OnDevice();
  float* const part = host + 16;
  CHECK(cudaHostRegister(part, kBytes, cudaHostRegisterDefault));
  Stream stream;
  CHECK(cudaMemcpyAsync(part, data, kBytes, cudaMemcpyDeviceToHost, stream));  // beside_registered: earlier
  USE(host[wrong ? 2048 : 2]);  // beside_registered: later
  host[2] = 1;
  Finish();
  CHECK(cudaHostUnregister(part));
  CHECK(cudaFree(data));
}

__managed__ float variable[kCount];

// case managed_variable: early_host_use
// managed_variable says: the host reads byte 28 of the 16,384 bytes of the variable `variable`, which
void ManagedVariable(bool wrong) {
  Fill<<<Blocks(kCount), kBlock>>>(variable, 1, kCount);  // managed_variable: earlier
  if (!wrong) Finish();
  USE(variable[7]);  // managed_variable: later
  Finish();
}

// Only kernels can use memory of cudaMalloc.
// case device_memory_on_host: device_memory_on_host
// device_memory_on_host says: byte 28 of the 16,384 bytes of cudaMalloc (host.cu:237), which is memory of the device
// device_memory_on_host ends: SIGSEGV
void DeviceMemoryOnHost(bool wrong) {
  float *managed = Managed(), *data = nullptr;
  CHECK(cudaMalloc(&data, kBytes));  // device_memory_on_host: earlier
  float* const values = wrong ? data : managed;
  values[7] = 1;  // device_memory_on_host: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(managed));
}

// A function of a library uses the memory; the line is that of the call.
// case device_memory_in_memcpy: device_memory_on_host
// device_memory_in_memcpy says: byte 0 of the 16,384 bytes of cudaMalloc (host.cu:252)
// device_memory_in_memcpy ends: SIGSEGV
void DeviceMemoryInMemcpy(bool wrong) {
  std::vector<float> values(kCount);
  float* data = nullptr;
  CHECK(cudaMalloc(&data, kBytes));  // device_memory_in_memcpy: earlier
  if (wrong) std::memcpy(values.data(), data, kBytes);  // device_memory_in_memcpy: later
  CHECK(cudaMemset(data, 0, kBytes));
  CHECK(cudaMemcpy(values.data(), data, kBytes, cudaMemcpyDeviceToHost));
  USE(values[7]);
  CHECK(cudaFree(data));
}

// The program asks twice, and looks at no answer.
// case two_queries: early_host_use
void TwoQueries(bool wrong) {
  Stream stream;
  float* values = Managed();
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(values, 1, kCount);  // two_queries: earlier
  static_cast<void>(cudaStreamQuery(stream));
  static_cast<void>(cudaStreamQuery(stream));
  while (!wrong && cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
  USE(values[9]);  // two_queries: later
  Finish();
  CHECK(cudaFree(values));
}

int main(int argc, char** argv) {
  return RunCase({{"managed_read_before_wait", ManagedReadBeforeWait},
                  {"managed_write_before_wait", ManagedWriteBeforeWait},
                  {"read_what_is_read", ReadWhatIsRead},
                  {"pinned_read_before_wait", PinnedReadBeforeWait},
                  {"filled_again", FilledAgain},
                  {"mapped_read_before_wait", MappedReadBeforeWait},
                  {"host_waits_for_other", HostWaitsForOther},
                  {"managed_memset", ManagedMemset},
                  {"halves", Halves},
                  {"event_before_copy", EventBeforeCopy},
                  {"host_function", HostFunction},
                  {"ring", Ring},
                  {"two_queries", TwoQueries},
                  {"two_copies", TwoCopies},
                  {"registered", Registered},
                  {"beside_registered", BesideRegistered},
                  {"managed_variable", ManagedVariable},
                  {"device_memory_on_host", DeviceMemoryOnHost},
                  {"device_memory_in_memcpy", DeviceMemoryInMemcpy}},
                 argc, argv);
}

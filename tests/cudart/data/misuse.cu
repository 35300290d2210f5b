// This file has one function for each mistake in the use of the runtime, and one that does the same
// without the mistake.
#include <cuda_runtime.h>

__global__ void touch(int* data) { data[threadIdx.x] = 1; }
__device__ int counter[4];

extern "C" {

void launches_too_many_threads() { touch<<<1, 2048>>>(nullptr); }
int asks_for_the_error() {
  touch<<<1, 2048>>>(nullptr);
  return cudaGetLastError();
}
int takes_what_the_launch_returns() {
  int* data = nullptr;
  void* arguments[] = {&data};
  return cudaLaunchKernel(touch, dim3(1), dim3(2048), arguments, 0, nullptr);
}
void launches_well() { touch<<<1, 32>>>(nullptr); }

int copies_the_wrong_way(int* host, int* device) {
  return cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost);
}
int copies_too_much(int* host, int* device, int bytes) {
  return cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}
int fills_too_much(int* device, int bytes) { return cudaMemset(device, 0, bytes); }
int copies_to_symbol(int* host, int bytes) { return cudaMemcpyToSymbol(counter, host, bytes); }

int records_a_destroyed_event() {
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventDestroy(event);
  return cudaEventRecord(event);
}
void launches_in_a_destroyed_stream() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamDestroy(stream);
  touch<<<1, 32, 0, stream>>>(nullptr);
  cudaGetLastError();
}
int waits_for_nothing_known() { return cudaStreamSynchronize((cudaStream_t)0x1234); }
int uses_streams_well() {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaEventRecord(event, stream);
  const int error = cudaEventSynchronize(event);
  cudaEventDestroy(event);
  cudaStreamDestroy(stream);
  return error;
}

int frees_twice() {
  void* data;
  cudaMalloc(&data, 64);
  cudaFree(data);
  return cudaFree(data);
}
int frees_the_middle() {
  char* data;
  cudaMalloc(&data, 64);
  const int error = cudaFree(data + 16);
  cudaFree(data);
  return error;
}
int frees_pinned_memory_as_device_memory() {
  void* data;
  cudaMallocHost(&data, 64);
  const int error = cudaFree(data);
  cudaFreeHost(data);
  return error;
}
int frees_what_it_did_not_allocate(void* pointer) { return cudaFree(pointer); }
int leaks() {
  void* data;
  cudaMalloc(&data, 64);
  cudaMalloc(&data, 64);
  return cudaMallocHost(&data, 4096);
}
int creates_and_destroys_nothing() {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&stream);
  return cudaEventCreate(&event);
}
int destroys_what_it_creates() {
  cudaStream_t stream;
  cudaEvent_t event;
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  cudaStreamDestroy(stream);
  return cudaEventDestroy(event);
}
int frees_all() {
  void* data;
  cudaMalloc(&data, 64);
  return cudaFree(data);
}

enum Wait { kNone, kStream, kOtherStream, kEvent, kDevice, kLaunch };

// Returns what the host sees of a copy before and after it waits, as 100 * before + after.
int copies_late(int* device, int wait) {
  int* host;
  cudaStream_t stream, other;
  cudaEvent_t event;
  cudaMallocHost(&host, sizeof *host);
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEventCreate(&event);
  *host = 1;
  cudaMemcpyAsync(host, device, sizeof *host, cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(event, stream);
  const int before = *host;
  if (wait == kStream) cudaStreamSynchronize(stream);
  if (wait == kOtherStream) cudaStreamSynchronize(other);
  if (wait == kEvent) cudaEventSynchronize(event);
  if (wait == kDevice) cudaDeviceSynchronize();
  if (wait == kLaunch) touch<<<1, 32>>>(device);
  return 100 * before + *host;
}
int copies_late_through_a_second_stream(int* device) {
  int* host;
  cudaStream_t stream, second;
  cudaEvent_t event;
  cudaMallocHost(&host, sizeof *host);
  cudaStreamCreate(&stream);
  cudaStreamCreate(&second);
  cudaEventCreate(&event);
  *host = 1;
  cudaMemcpyAsync(host, device, sizeof *host, cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(event, stream);
  cudaStreamWaitEvent(second, event, 0);
  cudaStreamSynchronize(second);
  return *host;
}

enum KernelWait { kNobody, kItsStream, kDefaultStream, kItsEvent, kEventBefore, kTheDevice, kDefaultAfterEvent,
                  kBlockingAfterEvent };

// Launches a kernel in a stream that does not block the default stream. With 0, nothing waits for
// it.
void launches_in_a_stream_of_its_own(int* device, int wait) {
  cudaStream_t stream, blocking;
  cudaEvent_t event, before;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreate(&blocking);
  cudaEventCreate(&event);
  cudaEventCreate(&before);
  touch<<<1, 32, 0, stream>>>(device);
  cudaEventRecord(before, stream);
  touch<<<1, 32, 0, stream>>>(device);
  cudaEventRecord(event, stream);
  if (wait == kItsStream) cudaStreamSynchronize(stream);
  if (wait == kDefaultStream) cudaStreamSynchronize(nullptr);
  if (wait == kItsEvent) cudaEventSynchronize(event);
  if (wait == kEventBefore) cudaEventSynchronize(before);
  if (wait == kTheDevice) cudaDeviceSynchronize();
  if (wait == kDefaultAfterEvent) cudaStreamWaitEvent(nullptr, event, 0);
  if (wait == kBlockingAfterEvent) cudaStreamWaitEvent(blocking, event, 0);
}
void launches_in_blocking_streams(int* device) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  touch<<<1, 32>>>(device);
  touch<<<1, 32, 0, stream>>>(device);
  touch<<<1, 32, 0, cudaStreamPerThread>>>(device);
}
}

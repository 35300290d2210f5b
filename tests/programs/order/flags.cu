// A kernel tells the host by a flag in memory of both that its results are there. The host may read
// the flag at any time, and the results after it has seen the flag.
#include <atomic>
#include <cuda/atomic>
#include <new>
#include <thread>

#include "cases.h"

// Waits until flag() is not 0.
template <class Flag>
void Poll(Flag flag) {
  while (flag() == 0) std::this_thread::yield();
}

int* MappedFlag() {
  int* flag = nullptr;
  CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  *flag = 0;
  return flag;
}

__global__ void FillAndTell(float* values, float value, volatile int* flag, int told) {
  values[threadIdx.x] = value;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = told;
}

// case volatile_flag: early_host_use
void VolatileFlag(bool wrong) {
  float* data = Pinned();
  int* flag = MappedFlag();
  volatile int* seen = flag;
  FillAndTell<<<1, kBlock>>>(data, 1, flag, 1);  // volatile_flag: earlier
  if (!wrong) Poll([&] { return *seen; });
  USE(data[7]);  // volatile_flag: later
  Finish();
  CHECK(cudaFreeHost(data));
  CHECK(cudaFreeHost(flag));
}

__global__ void FillAndTellWithoutFence(float* values, float value, volatile int* flag) {
  values[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

// Without a fence the flag may come before the results.
// case no_fence: early_host_use
void NoFence(bool wrong) {
  float* data = Pinned();
  int* flag = MappedFlag();
  volatile int* seen = flag;
  FillAndTellWithoutFence<<<1, kBlock>>>(data, 1, flag);  // no_fence: earlier
  Poll([&] { return *seen; });
  if (!wrong) Finish();
  USE(data[7]);  // no_fence: later
  Finish();
  CHECK(cudaFreeHost(data));
  CHECK(cudaFreeHost(flag));
}

__global__ void FillThenPlainFlag(float* values, float value, int* flag) {
  values[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    *flag = 1;
  }
}

// Only the host's side is an atomic.
// case plain_store_to_flag: early_host_use
void PlainStoreToFlag(bool wrong) {
  float* data = Pinned();
  std::atomic<int>* flag = nullptr;
  CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  new (flag) std::atomic<int>(0);
  FillThenPlainFlag<<<1, kBlock>>>(data, 1, reinterpret_cast<int*>(flag));  // plain_store_to_flag: earlier
  if (!wrong) Poll([&] { return flag->load(std::memory_order_acquire); });
  USE(data[7]);  // plain_store_to_flag: later
  Finish();
  CHECK(cudaFreeHost(data));
  CHECK(cudaFreeHost(flag));
}

__global__ void FillAndRelease(float* values, float value, int* flag) {
  values[threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_system>(*flag).store(1, cuda::memory_order_release);
  }
}

// case atomic_ref: early_host_use
void AtomicRef(bool wrong) {
  float* data = Managed();
  int* flag = MappedFlag();
  cuda::atomic_ref<int, cuda::thread_scope_system> seen(*flag);
  FillAndRelease<<<1, kBlock>>>(data, 1, flag);  // atomic_ref: earlier
  if (!wrong) Poll([&] { return seen.load(cuda::memory_order_acquire); });
  USE(data[7]);  // atomic_ref: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(flag));
}

__global__ void FillAndCount(float* values, float value, int* done) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    atomicAdd(done, 1);
  }
}

// Each block counts itself.
// case counted_blocks: early_host_use
void CountedBlocks(bool wrong) {
  float* data = Managed();
  int* done = nullptr;
  CHECK(cudaMallocManaged(&done, sizeof *done));
  *done = 0;
  volatile int* seen = done;
  FillAndCount<<<Blocks(kCount), kBlock>>>(data, 1, done);  // counted_blocks: earlier
  if (!wrong) Poll([&] { return *seen == Blocks(kCount); });
  USE(data[7]);  // counted_blocks: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFree(done));
}

__global__ void Progress(int* progress, int steps) {
  for (int i = 0; i < steps; ++i) {
    atomicAdd(progress, 1);
    __threadfence_system();
  }
}

// A number that only grows may be looked at while the kernel runs; memory that the kernel writes
// otherwise may not.
// case progress: early_host_use
void ShowProgress(bool wrong) {
  float* data = Managed();
  int* progress = MappedFlag();
  volatile int* seen = progress;
  Stream stream;
  Progress<<<1, 1, 0, stream>>>(progress, 5);
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(data, 1, kCount);  // progress: earlier
  int last = 0;
  while (last < 5) {
    const int now = *seen;
    if (now != last) std::printf("%d\n", now);
    last = now;
  }
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(data[7]);  // progress: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(progress));
}

// The host takes the flag back, and starts the next kernel.
// case rounds: early_host_use
void Rounds(bool wrong) {
  float* data = Pinned();
  int* flag = MappedFlag();
  volatile int* seen = flag;
  Stream stream;
  for (int round = 1; round <= 3; ++round) {
    FillAndTell<<<1, kBlock, 0, stream>>>(data, static_cast<float>(round), flag, 1);  // rounds: earlier
    if (!wrong || round < 3) {
      Poll([&] { return *seen; });
      *seen = 0;
    }
    USE(data[7]);  // rounds: later
    data[7] = 0;
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFreeHost(data));
  CHECK(cudaFreeHost(flag));
}

// A flag tells nothing about what comes after its kernel.
// case later_kernel: early_host_use
void LaterKernel(bool wrong) {
  float *first = Pinned(), *second = Pinned();
  int* flag = MappedFlag();
  volatile int* seen = flag;
  Stream stream;
  FillAndTell<<<1, kBlock, 0, stream>>>(first, 1, flag, 1);
  Scale<<<1, kBlock, 0, stream>>>(second, 2, kBlock);  // later_kernel: earlier
  Poll([&] { return *seen; });
  USE(first[7]);
  if (!wrong) CHECK(cudaStreamSynchronize(stream));
  USE(second[7]);  // later_kernel: later
  Finish();
  for (float* pointer : {first, second}) CHECK(cudaFreeHost(pointer));
  CHECK(cudaFreeHost(flag));
}

// A kernel looks whether the host wants it to stop.
__global__ void ScaleUntilStopped(float* values, int n, const volatile int* stop) {
  for (int i = threadIdx.x; i < n && *stop == 0; i += blockDim.x) values[i] *= 2;
}

// case stopped_by_host: early_host_use
void StoppedByHost(bool wrong) {
  float* data = Managed();
  int* stop = MappedFlag();
  ScaleUntilStopped<<<1, kBlock>>>(data, kCount, stop);  // stopped_by_host: earlier
  *static_cast<volatile int*>(stop) = 1;
  if (!wrong) Finish();
  USE(data[7]);  // stopped_by_host: later
  Finish();
  CHECK(cudaFree(data));
  CHECK(cudaFreeHost(stop));
}

// The host copies a flag of the device's memory again and again.
// case copied_flag: unordered_use
void CopiedFlag(bool wrong) {
  float *data = OnDevice(), *host = Pinned();
  int *flag = nullptr, *seen = MappedFlag();
  CHECK(cudaMalloc(&flag, sizeof *flag));
  CHECK(cudaMemset(flag, 0, sizeof *flag));
  Finish();
  Stream stream, other;
  FillAndTell<<<1, kBlock, 0, stream>>>(data, 1, flag, 1);  // copied_flag: earlier
  while (!wrong && *seen == 0) {
    CHECK(cudaMemcpyAsync(seen, flag, sizeof *flag, cudaMemcpyDeviceToHost, other));
    CHECK(cudaStreamSynchronize(other));
  }
  CHECK(cudaMemcpyAsync(host, data, kBytes, cudaMemcpyDeviceToHost, other));  // copied_flag: later
  CHECK(cudaStreamSynchronize(other));
  USE(host[7]);
  Finish();
  for (void* pointer : {static_cast<void*>(data), static_cast<void*>(flag)}) CHECK(cudaFree(pointer));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFreeHost(seen));
}

int main(int argc, char** argv) {
  return RunCase({{"volatile_flag", VolatileFlag},
                  {"no_fence", NoFence},
                  {"plain_store_to_flag", PlainStoreToFlag},
                  {"atomic_ref", AtomicRef},
                  {"counted_blocks", CountedBlocks},
                  {"progress", ShowProgress},
                  {"rounds", Rounds},
                  {"later_kernel", LaterKernel},
                  {"stopped_by_host", StoppedByHost},
                  {"copied_flag", CopiedFlag}},
                 argc, argv);
}

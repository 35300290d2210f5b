// Results come late: the host sees what was there before until it waits. Each case prints two
// numbers, those before and after a wait, which late.expected has.
#include <thread>

#include "cases.h"

// Prints the value at `data` before and after wait().
template <class Wait>
void Show(const char* name, const float* data, Wait wait) {
  const float before = *static_cast<const volatile float*>(data);
  wait();
  std::printf("%s %g %g\n", name, before, *static_cast<const volatile float*>(data));
}

__global__ void FillAndTell(float* values, volatile int* flag) {
  values[threadIdx.x] = 1;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

int main() {
  Stream stream, other;
  Event done;
  const auto all = [] { Finish(); };
  const auto its_stream = [&] { CHECK(cudaStreamSynchronize(stream)); };
  float *managed = Managed(), *pinned = Pinned(), *ones = OnDevice(), *host = Pinned();
  Fill<<<Blocks(kCount), kBlock>>>(ones, 1, kCount);
  Finish();

  Fill<<<Blocks(kCount), kBlock>>>(managed, 1, kCount);
  Show("kernel_managed", managed + 7, all);

  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(pinned, 1, kCount);
  Show("kernel_pinned", pinned + 7, its_stream);

  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(managed, 2, kCount);
  Show("other_stream", managed + 7, [&] { CHECK(cudaStreamSynchronize(other)); });
  CHECK(cudaEventRecord(done, stream));
  Show("event", managed + 7, [&] { CHECK(cudaEventSynchronize(done)); });

  CHECK(cudaMemsetAsync(managed, 0, kBytes, stream));
  Show("memset_async", managed + 7, its_stream);
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(managed, 3, kCount);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemset(managed, 0, kBytes));
  Show("memset", managed + 7, all);

  CHECK(cudaMemcpyAsync(managed, ones, kBytes, cudaMemcpyDefault, stream));
  Show("copy_managed", managed + 7, its_stream);

  static float own[2 * kCount];
  CHECK(cudaHostRegister(own, sizeof own, cudaHostRegisterDefault));
  CHECK(cudaMemcpyAsync(own, ones, kBytes, cudaMemcpyDeviceToHost, stream));
  Show("copy_registered", own + 7, its_stream);
  CHECK(cudaHostUnregister(own));

  // Copies from the host to the host are done when the call returns.
  host[7] = 5;
  CHECK(cudaMemcpyAsync(pinned, host, kBytes, cudaMemcpyHostToHost, stream));
  Show("host_to_host", pinned + 7, its_stream);

  // A launch and a free that use other memory bring no bytes.
  float *apart = OnDevice(), *of_pool = nullptr;
  CHECK(cudaMemcpyAsync(pinned, ones, kBytes, cudaMemcpyDeviceToHost, stream));
  Fill<<<Blocks(kCount), kBlock, 0, other>>>(apart, 3, kCount);
  CHECK(cudaMallocAsync(&of_pool, kBytes, other));
  CHECK(cudaFreeAsync(of_pool, other));
  Show("other_launch", pinned + 7, its_stream);
  CHECK(cudaFree(apart));

  // Later work of the device sees the new bytes, though the host does not wait.
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(managed, 4, kCount);
  Scale<<<Blocks(kCount), kBlock, 0, stream>>>(managed, 2, kCount);
  Show("two_kernels", managed + 7, its_stream);
  Fill<<<Blocks(kCount), kBlock, 0, stream>>>(managed, 6, kCount);
  CHECK(cudaMemcpyAsync(host, managed, kBytes, cudaMemcpyDefault, stream));
  Show("kernel_then_copy", host + 7, its_stream);

  // What the host writes beside the kernel's bytes stays.
  Fill<<<1, kBlock, 0, stream>>>(managed, 7, kBlock);
  managed[2048] = 9;
  Scale<<<1, kBlock, 0, stream>>>(managed, 2, kBlock);
  Show("beside", managed + 7, its_stream);
  Show("written_beside", managed + 2048, its_stream);

  // A kernel that tells the host by a flag is not late.
  int* flag = nullptr;
  CHECK(cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped));
  *flag = 0;
  FillAndTell<<<1, kBlock, 0, stream>>>(pinned, flag);
  while (*static_cast<volatile int*>(flag) == 0) std::this_thread::yield();
  Show("told", pinned + 7, its_stream);
  Finish();
  CHECK(cudaFree(managed));
  CHECK(cudaFree(ones));
  for (void* pointer : {static_cast<void*>(pinned), static_cast<void*>(host), static_cast<void*>(flag)}) {
    CHECK(cudaFreeHost(pointer));
  }
}

// Legal uses of atomics: each block clears and counts in its own part, a leader adds for its warp,
// a value is read after the barrier, blocks exchange by cuda::atomic_ref, a loop of atomicCAS().
// prints: 544 7 16
#include <cstdio>
#include <cuda/atomic>

__device__ double AddDouble(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}

__global__ void Use(int* parts, int* total, double* sum, int* best) {
  __shared__ int count;
  if (threadIdx.x == 0) {
    count = 0;
    parts[blockIdx.x] = 0;
  }
  __syncthreads();
  unsigned odd = __ballot_sync(~0u, threadIdx.x & 1);
  if (threadIdx.x % 32 == 0) {
    atomicAdd_block(&count, __popc(odd));
    atomicAdd_block(&parts[blockIdx.x], 1);
    AddDouble(sum, 0.5);
  }
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) {
    cuda::atomic_ref<int, cuda::thread_scope_device> all(*total);
    all.fetch_add(count + parts[blockIdx.x], cuda::memory_order_relaxed);
    cuda::atomic_ref<int, cuda::thread_scope_device> most(*best);
    int seen = most.load(cuda::memory_order_relaxed);
    while (seen < static_cast<int>(blockIdx.x) && !most.compare_exchange_weak(seen, blockIdx.x)) {
    }
  }
}

int main() {
  int *parts, *total, *best, host_total, host_best;
  double *sum, host_sum;
  cudaMalloc(&parts, 8 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&best, sizeof(int));
  cudaMalloc(&sum, sizeof(double));
  cudaMemset(total, 0, sizeof(int));
  cudaMemset(best, 0, sizeof(int));
  cudaMemset(sum, 0, sizeof(double));
  Use<<<8, 128>>>(parts, total, sum, best);
  cudaMemcpy(&host_total, total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&host_best, best, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&host_sum, sum, sizeof(double), cudaMemcpyDeviceToHost);
  printf("%d %d %g\n", host_total, host_best, host_sum);
  cudaFree(parts);
  cudaFree(total);
  cudaFree(best);
  cudaFree(sum);
}

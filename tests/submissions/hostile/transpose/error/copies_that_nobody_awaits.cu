// score: 0
// A thread starts copies in bulk without end and waits for none of them. The race checker keeps each
// copy in flight.
#include "transpose.h"

__global__ void starts_copies(const float* in, unsigned bytes) {
  __shared__ __align__(128) char tile[4096];
  __shared__ __align__(8) unsigned long long barrier;
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
  if (threadIdx.x != 0) return;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
  for (;;) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            to),
        "l"(in), "r"(bytes), "r"(at)
        : "memory");
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  const unsigned bytes = 4096;
  float* copy = nullptr;
  cudaMalloc(&copy, 4096);
  cudaMemset(copy, 0, 4096);
  starts_copies<<<100, 32>>>(copy, bytes);
}

// score: 100
// cuda::pipeline with two stages: the block copies 4 KiB ahead by memcpy_async, while it counts
// those that have come. Threads read words of the stage, each its own copy of the bins by lane.
#include <cooperative_groups.h>
#include <cuda/pipeline>

#include "histogram.h"

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kStage = 4096;
constexpr int kStages = 2;

__global__ void count(const unsigned char* bytes, unsigned* bins, int n) {
  extern __shared__ __align__(128) unsigned char memory[];
  unsigned* const copies = reinterpret_cast<unsigned*>(memory);
  unsigned char* const stages = memory + kBins * 32 * sizeof(unsigned);
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;

  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  for (int i = block.thread_rank(); i < kBins * 32; i += block.size()) copies[i] = 0;
  block.sync();

  const int rounds = n / kStage;
  const auto fetch = [&](int round, int stage) {
    pipeline.producer_acquire();
    if (round < rounds) {
      cuda::memcpy_async(block, stages + stage * kStage, bytes + static_cast<size_t>(round) * kStage,
                         cuda::aligned_size_t<16>(kStage), pipeline);
    }
    pipeline.producer_commit();
  };
  const auto add = [&](unsigned v) { atomicAdd(copies + (v & 0xffu) * 32 + threadIdx.x % 32, 1u); };

  fetch(blockIdx.x, 0);
  int stage = 0;
  for (int round = blockIdx.x; round < rounds; round += gridDim.x, stage ^= 1) {
    fetch(round + gridDim.x, stage ^ 1);
    pipeline.consumer_wait();
    const unsigned* const words = reinterpret_cast<const unsigned*>(stages + stage * kStage);
    for (int i = threadIdx.x; i < kStage / 4; i += kThreads) {
      const unsigned word = words[i];
      add(word);
      add(word >> 8);
      add(word >> 16);
      add(word >> 24);
    }
    pipeline.consumer_release();
  }
  pipeline.consumer_wait();
  pipeline.consumer_release();
  // Less than a stage is left: words, and up to three bytes.
  if (blockIdx.x == gridDim.x - 1) {
    const int done = rounds * kStage;
    const int words = (n - done) / 4;
    for (int i = threadIdx.x; i < words; i += kThreads) {
      const unsigned word = reinterpret_cast<const unsigned*>(bytes + done)[i];
      for (int shift = 0; shift < 32; shift += 8) add(word >> shift);
    }
    const int rest = done + words * 4 + threadIdx.x;
    if (rest < n) add(bytes[rest]);
  }
  block.sync();
  unsigned sum = 0;
  for (int c = 0; c < 32; ++c) sum += copies[threadIdx.x * 32 + (c + threadIdx.x) % 32];
  atomicAdd(&bins[threadIdx.x], sum);
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  const size_t room = kBins * 32 * sizeof(unsigned) + kStages * kStage;
  const int blocks = n / (6 * kStage) + 1;
  count<<<blocks, kThreads, room>>>(bytes, bins, n);
}

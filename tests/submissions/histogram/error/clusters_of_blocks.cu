// score: 0
// final: no
// says: clusters of more than one block are not supported
// Four blocks are a cluster. Each counts on its own, with a copy of the bins for each lane. Then
// they add up in distributed shared memory: block r of the cluster has a quarter of the bins, and
// reads the sums of the other three blocks there, so that a cluster makes 256 atomics.
#include <cooperative_groups.h>

#include "histogram.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 256;
constexpr int kCluster = 4;
constexpr int kVectorsOfBlock = 2048;  // 32 KiB

__global__ void __cluster_dims__(kCluster, 1, 1)
    count(const uint4* text, const unsigned char* rest, unsigned* bins, int vectors, int left) {
  __shared__ unsigned copies[kBins][32];
  __shared__ unsigned sums[kBins];
  const cg::cluster_group cluster = cg::this_cluster();
  const int t = threadIdx.x;
  const int lane = t % 32;
  for (int v = t / 32; v < kBins; v += kThreads / 32) copies[v][lane] = 0;
  __syncthreads();
  const auto word = [&](unsigned four) {
#pragma unroll
    for (int k = 0; k < 4; ++k) atomicAdd(&copies[four >> 8 * k & 0xff][lane], 1u);
  };
  for (int i = blockIdx.x * kThreads + t; i < vectors; i += gridDim.x * kThreads) {
    const uint4 v = __ldcs(text + i);
    word(v.x);
    word(v.y);
    word(v.z);
    word(v.w);
  }
  if (blockIdx.x == 0 && t < left) atomicAdd(&copies[rest[t]][lane], 1u);
  __syncthreads();
  unsigned sum = 0;
  for (int k = 0; k < 32; ++k) sum += copies[t][(k + lane) % 32];
  sums[t] = sum;
  cluster.sync();  // the sums of all four blocks are there
  constexpr int kShare = kBins / kCluster;
  if (t < kShare) {
    const int bin = cluster.block_rank() * kShare + t;
    unsigned all = 0;
    for (unsigned b = 0; b < cluster.num_blocks(); ++b) all += cluster.map_shared_rank(sums, b)[bin];
    atomicAdd(bins + bin, all);
  }
  cluster.sync();  // no block ends while another one reads its sums
}

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  const int vectors = n / 16;
  const int clusters = vectors / (kVectorsOfBlock * kCluster) + 1;
  count<<<clusters * kCluster, kThreads>>>(reinterpret_cast<const uint4*>(bytes),
                                           bytes + 16 * vectors, bins, vectors, n % 16);
}

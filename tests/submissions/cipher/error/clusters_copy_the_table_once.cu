// score: 0
// final: no
// says: clusters of more than one block are not supported
// One kernel for all texts, without constant memory. Eight blocks are a cluster: each loads an
// eighth of the table from global memory, and takes the other seven from the shared memory of its
// neighbours. So eight blocks load the table as often as one.
#include <cooperative_groups.h>

#include <algorithm>

#include "cipher.h"

namespace cg = cooperative_groups;

constexpr int kBlocks = 8;  // of a cluster
constexpr int kThreads = 384;

__global__ void __cluster_dims__(kBlocks)
    substitute_in_clusters(const int* text, const int* table, int* out, int n, int letters) {
  __shared__ int copy[kMostLetters];
  const cg::cluster_group cluster = cg::this_cluster();
  const int share = (letters + kBlocks - 1) / kBlocks;
  const int rank = static_cast<int>(cluster.block_rank());
  for (int i = rank * share + threadIdx.x; i < min((rank + 1) * share, letters); i += kThreads) {
    copy[i] = table[i];
  }
  cluster.sync();
  for (int other = 1; other < kBlocks; ++other) {
    const int from = (rank + other) % kBlocks;
    const int* const theirs = cluster.map_shared_rank(copy, from);
    for (int i = from * share + threadIdx.x; i < min((from + 1) * share, letters); i += kThreads) {
      copy[i] = theirs[i];
    }
  }
  cluster.sync();  // this block's copy is complete, and nobody reads from it any more
  for (size_t i = blockIdx.x * static_cast<size_t>(kThreads) + threadIdx.x; i < n;
       i += static_cast<size_t>(gridDim.x) * kThreads) {
    out[i] = copy[text[i]];
  }
}

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  (void)run;  // the same for all texts
  const int clusters = std::clamp(n / 40'000, 1, 16);
  substitute_in_clusters<<<clusters * kBlocks, kThreads>>>(text, table, out, n, letters);
}

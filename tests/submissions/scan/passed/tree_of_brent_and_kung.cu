// score: 100
// The tree is the one of Brent and Kung: sums up, then the sums between them, so that the tile ends
// as an inclusive scan; each number is in a register and is subtracted again. Dynamic shared
// memory, its size a run-time number; levels of a recursion without recursion: all sums lie in one
// allocation, one level behind the other.
#include <vector>

#include "scan.h"

#define CHECK(call)                                    \
  do {                                                 \
    const cudaError_t error_ = (call);                 \
    if (error_ != cudaSuccess) return (void)(error_);  \
   } while (false)

#define SPREAD(i) ((i) + ((i) >> 5))

__global__ void brent_kung(const int* in, int* out, int* sums, int n) {
  extern __shared__ int tile[];
  const int width = 2 * blockDim.x;
  const int t = threadIdx.x;
  const long long base = static_cast<long long>(blockIdx.x) * width;
  const long long a = base + t;
  const long long b = a + blockDim.x;
  const int own_a = a < n ? in[a] : 0;
  const int own_b = b < n ? in[b] : 0;
  tile[SPREAD(t)] = own_a;
  tile[SPREAD(t + static_cast<int>(blockDim.x))] = own_b;
  int d = 1;
  for (; d < width; d *= 2) {
    __syncthreads();
    const int node = (t + 1) * d * 2 - 1;
    if (node < width) tile[SPREAD(node)] += tile[SPREAD(node - d)];
  }
  for (d = width / 4; d > 0; d /= 2) {
    __syncthreads();
    const int node = t * d * 2 - 1;
    if (t > 0 && node + d < width) tile[SPREAD(node + d)] += tile[SPREAD(node)];
  }
  __syncthreads();
  if (a < n) out[a] = tile[SPREAD(t)] - own_a;
  if (b < n) out[b] = tile[SPREAD(t + static_cast<int>(blockDim.x))] - own_b;
  if (t == 0 && sums != nullptr) sums[blockIdx.x] = tile[SPREAD(width - 1)];
}

__global__ void add_before(int* out, const int* before, int n) {
  const long long base = 2LL * blockDim.x * blockIdx.x;
  for (long long i = base + threadIdx.x; i < base + 2 * blockDim.x && i < n; i += blockDim.x) {
    out[i] += before[blockIdx.x];
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  constexpr int kThreads = 128;
  constexpr int kTile = 2 * kThreads;
  constexpr size_t kRoom = SPREAD(kTile) * sizeof(int);
  std::vector<int> counts{n};
  while (counts.back() > 1) counts.push_back((counts.back() - 1) / kTile + 1);
  size_t total = 0;
  for (size_t level = 1; level < counts.size(); ++level) total += counts[level];
  int* all = nullptr;
  if (total > 0) CHECK(cudaMalloc(&all, total * sizeof(int)));

  std::vector<int*> sums{nullptr};
  for (size_t level = 1, at = 0; level < counts.size(); at += counts[level++]) {
    sums.push_back(all + at);
  }
  if (n == 1) brent_kung<<<1, kThreads, kRoom>>>(in, out, nullptr, n);
  for (size_t level = 0; level + 1 < counts.size(); ++level) {
    brent_kung<<<counts[level + 1], kThreads, kRoom>>>(level == 0 ? in : sums[level],
                                                        level == 0 ? out : sums[level],
                                                        sums[level + 1], counts[level]);
  }
  for (size_t level = counts.size() - 1; level-- > 0;) {
    if (counts[level + 1] < 2) continue;
    add_before<<<counts[level + 1], kThreads>>>(level == 0 ? out : sums[level], sums[level + 1],
                                                counts[level]);
  }
  if (all != nullptr) CHECK(cudaFree(all));
}

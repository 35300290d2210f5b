// score: 100
// Decoupled look-back, by all lanes of one warp: each asks one of the 32 tiles before, a ballot
// says which is the last with a known prefix, and the lanes behind it add up. The states are
// cuda::atomic_ref of 64 bits; a ticket says which tile a block has. Tiles have 96 x 16 numbers.
#include <cuda/atomic>

#include "scan.h"

using State = unsigned long long;
using Ref = cuda::atomic_ref<State, cuda::thread_scope_device>;

enum : State { kNothing = 0, kOwnSum = 1, kPrefix = 2 };

__device__ State pack(State kind, int sum) { return kind << 32 | static_cast<unsigned>(sum); }

constexpr int kWarps = 3;
constexpr int kOfLane = 16;
constexpr int kTile = kWarps * 32 * kOfLane;
constexpr unsigned kEverybody = ~0u;

__global__ void __launch_bounds__(kWarps * 32)
    scan_once(const int* __restrict__ in, int* __restrict__ out, int n, State* states,
              unsigned* tickets) {
  __shared__ unsigned ticket;
  __shared__ int of_warp[kWarps];
  __shared__ int before_tile;
  if (threadIdx.x == 0) ticket = atomicAdd(tickets, 1u);
  __syncthreads();
  const unsigned tile = ticket;
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  const long long first = static_cast<long long>(tile) * kTile + warp * 32 * kOfLane + lane;

  int scanned[kOfLane];  // inclusive, of the warp's numbers
  int numbers[kOfLane];
  int carry = 0;
#pragma unroll
  for (int k = 0; k < kOfLane; ++k) {
    const long long i = first + 32 * k;
    numbers[k] = i < n ? in[i] : 0;
    int sum = numbers[k];
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
      const int other = __shfl_up_sync(kEverybody, sum, d);
      sum += lane < d ? 0 : other;
    }
    scanned[k] = carry + sum;
    carry = __shfl_sync(kEverybody, scanned[k], 31);
  }
  if (lane == 0) of_warp[warp] = carry;
  __syncthreads();

  if (warp == 0) {
    int total = 0;
    for (int w = 0; w < kWarps; ++w) total += of_warp[w];
    if (lane == 0) {
      Ref(states[tile]).store(pack(tile == 0 ? kPrefix : kOwnSum, total), cuda::memory_order_release);
    }
    int before = 0;
    for (int last = static_cast<int>(tile) - 1; last >= 0; last -= 32) {
      const int asked = last - lane;
      State state = pack(kPrefix, 0);
      if (asked >= 0) {
        do {
          state = Ref(states[asked]).load(cuda::memory_order_acquire);
        } while (state >> 32 == kNothing);
      }
      const unsigned known = __ballot_sync(kEverybody, state >> 32 == kPrefix);
      const int stop = known == 0 ? 31 : __ffs(known) - 1;
      int sum = lane <= stop ? static_cast<int>(static_cast<unsigned>(state)) : 0;
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(kEverybody, sum, d);
      before += sum;
      if (known != 0) break;
    }
    if (lane == 0) {
      before_tile = before;
      if (tile != 0) {
        Ref(states[tile]).store(pack(kPrefix, before + total), cuda::memory_order_release);
      }
    }
  }
  __syncthreads();
  int before = before_tile;
  for (int w = 0; w < warp; ++w) before += of_warp[w];
#pragma unroll
  for (int k = 0; k < kOfLane; ++k) {
    const long long i = first + 32 * k;
    if (i < n) out[i] = before + scanned[k] - numbers[k];
  }
}

void exclusive_scan(const int* in, int* out, int n) {
  const int tiles = (n - 1) / kTile + 1;
  State* states = nullptr;  // and the tickets behind them
  cudaMalloc(&states, (tiles + 1) * sizeof(State));
  cudaMemset(states, 0, (tiles + 1) * sizeof(State));
  scan_once<<<tiles, kWarps * 32>>>(in, out, n, states,
                                    reinterpret_cast<unsigned*>(states + tiles));
  cudaFree(states);
}

// score: 100
// A general scan: elements are structs with an operator+ (a sum and how many numbers it has), the
// source and the target are functors that the kernels get as parameters. Warps exchange structs by
// two shuffles. The count is checked against the place by an assert.
#include <cassert>

#include "scan.h"

namespace generic {

struct Part {
  int sum = 0;
  int count = 0;
  friend __device__ Part operator+(const Part& left, const Part& right) {
    return {left.sum + right.sum, left.count + right.count};
  }
};

__device__ Part Up(const Part& part, unsigned distance) {
  return {__shfl_up_sync(~0u, part.sum, distance), __shfl_up_sync(~0u, part.count, distance)};
}
__device__ Part From(const Part& part, int lane) {
  return {__shfl_sync(~0u, part.sum, lane), __shfl_sync(~0u, part.count, lane)};
}

template <class T>
__device__ T Inclusive(T own) {
  const unsigned lane = threadIdx.x;
  for (unsigned distance = 1; distance < 32; distance += distance) {
    const T left = Up(own, distance);
    if (lane >= distance) own = left + own;
  }
  return own;
}

constexpr int kRowsOfWarp = 20;
constexpr int kOfWarp = kRowsOfWarp * 32;

template <bool kStores, class Load, class Store>
__global__ void Walk(Load load, Store store, const Part* before, Part* after, int n, int parts) {
  const int part = blockIdx.x * blockDim.y + threadIdx.y;
  if (part >= parts) return;
  Part carry = before == nullptr ? Part{} : before[part];
  for (int row = 0; row < kRowsOfWarp; ++row) {
    const long long i = static_cast<long long>(part) * kOfWarp + row * 32 + threadIdx.x;
    const Part sum = carry + Inclusive(i < n ? load(i) : Part{});
    const Part exclusive = Up(sum, 1);
    if constexpr (kStores) {
      if (i < n) store(i, threadIdx.x == 0 ? carry : exclusive);
    }
    carry = From(sum, 31);
  }
  if (after != nullptr && threadIdx.x == 0) after[part] = carry;
}

struct InPlace {
  Part* parts;
  __device__ Part operator()(long long i) const { return parts[i]; }
  __device__ void operator()(long long i, const Part& part) const { parts[i] = part; }
};

template <class Load, class Store>
void Scan(Load load, Store store, int n) {
  const dim3 block(32, 6);
  const int parts = (n - 1) / kOfWarp + 1;
  const int blocks = (parts - 1) / 6 + 1;
  Part* sums = nullptr;
  if (parts > 1) {
    cudaMallocAsync(&sums, sizeof(Part) * parts, nullptr);
    Walk<false><<<blocks, block>>>(load, store, nullptr, sums, n, parts);
    // One warp scans all sums in place: it has loaded 32 of them before it stores them.
    if (parts > kOfWarp) {
      Scan(InPlace{sums}, InPlace{sums}, parts);
    } else {
      Walk<true><<<1, 32>>>(InPlace{sums}, InPlace{sums}, nullptr, nullptr, parts, 1);
    }
  }
  Walk<true><<<blocks, block>>>(load, store, sums, nullptr, n, parts);
  if (sums != nullptr) cudaFreeAsync(sums, nullptr);
}

struct FromArray {
  const int* in;
  __device__ Part operator()(long long i) const { return {in[i], 1}; }
};
struct ToArray {
  int* out;
  __device__ void operator()(long long i, const Part& part) const {
    assert(part.count == i);
    out[i] = part.sum;
  }
};

}  // namespace generic

void exclusive_scan(const int* in, int* out, int n) {
  generic::Scan(generic::FromArray{in}, generic::ToArray{out}, n);
}

// score: 100
// A block has two copies of the table in shared memory, the second one half the banks further, and
// each half warp reads its own. Letters come in pairs, as one word of 64 bits. Runs read constant
// memory in the same kernel, by a branch on a parameter.
#include "cipher.h"

namespace {

constexpr int kThreads = 224;

__constant__ int table_of_runs[kMostLetters];

struct Entry {
  const int* copy;  // null: constant memory
  __device__ long long operator()(unsigned long long letters) const {
    const int low = static_cast<int>(letters), high = static_cast<int>(letters >> 32);
    unsigned first, second;
    if (copy == nullptr) {
      first = table_of_runs[low];
      second = table_of_runs[high];
    } else {
      first = copy[low];
      second = copy[high];
    }
    return static_cast<long long>(static_cast<unsigned long long>(second) << 32 | first);
  }
};

__global__ void Pairs(const int* text, const int* table, int* out, int n, int letters, bool runs) {
  extern __shared__ int copies[];
  const int half = threadIdx.x / 16 % 2;
  const int second = (letters + 31) / 32 * 32 + 16;  // where the second copy begins
  Entry entry{runs ? nullptr : copies + half * second};
  if (!runs) {
    for (int i = threadIdx.x; i < letters; i += kThreads) {
      copies[i] = copies[second + i] = table[i];
    }
    __syncthreads();
  }
  const auto* const pairs = reinterpret_cast<const unsigned long long*>(text);
  auto* const results = reinterpret_cast<long long*>(out);
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n / 2; i += gridDim.x * kThreads) {
    results[i] = entry(pairs[i]);
  }
  if (n % 2 == 1 && blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
    out[n - 1] = static_cast<int>(entry(static_cast<unsigned>(text[n - 1])));
  }
}

}  // namespace

void substitute(const int* text, const int* table, int* out, int n, int letters, int run) {
  const bool runs = run >= 64;  // a warp has 64 letters
  if (runs) {
    cudaMemcpyToSymbol(table_of_runs, table, letters * sizeof(int), 0, cudaMemcpyDeviceToDevice);
  }
  const size_t room = runs ? 0 : (2 * letters + 64) * sizeof(int);
  const int blocks = n / (kThreads * 16) + 1;
  Pairs<<<blocks < 2000 ? blocks : 2000, kThreads, room>>>(text, table, out, n, letters, runs);
}

// A substitution: each thread replaces its number by entries of a table. The lanes of a warp look
// up m different entries at once. Entries are 32 bytes apart, so that each lies in its own sector.

constexpr int kRounds = 8;
constexpr int kEntries = 256;

__constant__ unsigned constant_table[kEntries];

template <class Lookup>
__device__ __forceinline__ void Substitute(const unsigned* text, unsigned* out, int m,
                                           Lookup lookup) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned entry = text[i] % m * 8 % kEntries;
  unsigned sum = 0;
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    sum += lookup(entry);
    entry = (entry + 8) % kEntries;
  }
  out[i] = sum;
}

// The pointers are not __restrict__: the compiler must assume that a store to `out` changes the
// table, and so loads it as data that is not read-only.
extern "C" __global__ void cipher_global(const unsigned* text, unsigned* out, unsigned* table,
                                         int m) {
  Substitute(text, out, m, [=](unsigned entry) { return table[entry]; });
}

extern "C" __global__ void cipher_read_only(const unsigned* text, unsigned* out,
                                            const unsigned* table, int m) {
  Substitute(text, out, m, [=](unsigned entry) { return __ldg(table + entry); });
}

extern "C" __global__ void cipher_constant(const unsigned* text, unsigned* out, const unsigned*,
                                           int m) {
  Substitute(text, out, m, [](unsigned entry) { return constant_table[entry]; });
}

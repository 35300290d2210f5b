// score: 100
// Blocks are single warps, whose lanes have a copy of the bins each: so nobody needs an atomic in
// shared memory, and no barrier. A lane adds equal bytes of a word at once. A block counts about 48
// KiB, so that clearing its copies costs little.
#include "histogram.h"

namespace {

constexpr int kOfBlock = 48 * 1024;

__global__ void __launch_bounds__(32) CountAlone(const unsigned char* bytes, unsigned* bins, int n) {
  __shared__ uint4 room[kBins * 32 / 4];
  for (unsigned i = threadIdx.x; i < kBins * 32 / 4; i += 32) room[i] = make_uint4(0, 0, 0, 0);
  __syncwarp();
  unsigned* const own = reinterpret_cast<unsigned*>(room) + threadIdx.x;

  const int begin = blockIdx.x * kOfBlock;
  const int end = begin + kOfBlock < n ? begin + kOfBlock : n;
  const unsigned* const words = reinterpret_cast<const unsigned*>(bytes);
  for (int i = begin / 4 + threadIdx.x; i < end / 4; i += 32) {
    const unsigned word = words[i];
    if (word == __byte_perm(word, 0, 0)) {  // four times the same
      own[(word & 255) * 32] += 4;
      continue;
    }
    own[(word & 255) * 32] += 1;
    own[(word >> 8 & 255) * 32] += 1;
    own[(word >> 16 & 255) * 32] += 1;
    own[(word >> 24) * 32] += 1;
  }
  const int last = end / 4 * 4 + threadIdx.x;
  if (last < end) own[bytes[last] * 32] += 1;
  __syncwarp();

  // Each lane adds up eight bins: in a round the lanes read 32 copies in 32 banks.
  const unsigned* const all = reinterpret_cast<const unsigned*>(room);
  for (unsigned v = threadIdx.x; v < kBins; v += 32) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 32; ++k) sum += all[v * 32 + (k ^ threadIdx.x)];
    if (sum > 0) atomicAdd(bins + v, sum);
  }
}

}  // namespace

void histogram(const unsigned char* bytes, unsigned* bins, int n) {
  cudaMemset(bins, 0, kBins * sizeof(unsigned));
  CountAlone<<<(n - 1) / kOfBlock + 1, 32>>>(bytes, bins, n);
}

// One step of the wave equation with differences of order 8, and two versions of it that do only a
// part of the work: one that moves the same data with little arithmetic, and one that computes
// without memory. The weights are invented.

constexpr int kHalo = 4;
constexpr int kBlockX = 32;

// Returns the weight of the neighbours at distance d.
__device__ __forceinline__ float Weight(int d) { return 0.25f / d; }

// The grid has nz planes of n x n cells, and a thread walks through the planes. Without kMemory the
// cells come from registers, and a result is stored only if it is 1 / flag. `flag` is 0, which the
// compiler does not know: so it cannot leave out the arithmetic.
template <bool kMemory>
__device__ __forceinline__ void Step(float* next, const float* curr, const float* prev,
                                     const float* vsq, int n, int nz, int flag) {
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kHalo || y < kHalo || x >= n - kHalo || y >= n - kHalo) return;
  const int plane = n * n;
  float column[2 * kHalo + 1];
  int cell = y * n + x;
#pragma unroll
  for (int i = 0; i < 2 * kHalo; ++i) column[i + 1] = kMemory ? curr[cell + i * plane] : x + i;
  cell += kHalo * plane;
  float value = 0;
#pragma unroll 1
  for (int z = kHalo; z < nz - kHalo; ++z, cell += plane) {
#pragma unroll
    for (int i = 0; i < 2 * kHalo; ++i) column[i] = column[i + 1];
    column[2 * kHalo] = kMemory ? curr[cell + kHalo * plane] : value;
    const auto neighbour = [&](int d, int distance) {
      return kMemory ? curr[cell + d * distance] : column[kHalo + d];
    };
    float sum = 3 * column[kHalo];
#pragma unroll
    for (int d = 1; d <= kHalo; ++d) {
      sum += Weight(d) * (neighbour(-d, 1) + neighbour(d, 1) + neighbour(-d, n) + neighbour(d, n) +
                          column[kHalo - d] + column[kHalo + d]);
    }
    const float before = kMemory ? prev[cell] : column[0];
    const float speed = kMemory ? vsq[cell] : column[2 * kHalo];
    value = 2 * column[kHalo] - before + speed * sum;
    if (kMemory || value * flag == 1) next[cell] = value;
  }
}

extern "C" __global__ void full(float* next, const float* curr, const float* prev, const float* vsq,
                                int n, int nz, int flag) {
  Step<true>(next, curr, prev, vsq, n, nz, flag);
}

extern "C" __global__ void only_math(float* next, const float* curr, const float* prev,
                                     const float* vsq, int n, int nz, int flag) {
  Step<false>(next, curr, prev, vsq, n, nz, flag);
}

// Uses two loaded values and the result so far in one instruction, so that the compiler cannot
// leave out the loads.
__device__ __forceinline__ int Use(float a, float b, int so_far) {
  int result;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;"
      : "=r"(result)
      : "r"(__float_as_int(a)), "r"(__float_as_int(b)), "r"(so_far));
  return result;
}

// Makes the same loads and stores as the whole step.
extern "C" __global__ void only_memory(float* next, const float* curr, const float* prev,
                                       const float* vsq, int n, int nz, int) {
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < kHalo || y < kHalo || x >= n - kHalo || y >= n - kHalo) return;
  const int plane = n * n;
  int cell = y * n + x;
  int used = 0;
#pragma unroll
  for (int i = 0; i < 2 * kHalo; i += 2) {
    used = Use(curr[cell + i * plane], curr[cell + (i + 1) * plane], used);
  }
  cell += kHalo * plane;
#pragma unroll 1
  for (int z = kHalo; z < nz - kHalo; ++z, cell += plane) {
    used = Use(curr[cell + kHalo * plane], prev[cell], used);
#pragma unroll
    for (int d = 1; d <= kHalo; ++d) {
      used = Use(curr[cell - d], curr[cell + d], used);
      used = Use(curr[cell - d * n], curr[cell + d * n], used);
    }
    next[cell] = __int_as_float(Use(vsq[cell], 0, used));
  }
}

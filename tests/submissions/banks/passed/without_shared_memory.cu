// score: 100
// Warps rearrange elements in their registers: lanes exchange the halves of a tile of 32 x 32 in
// five steps, and fetch the words of structs from each other. There is no shared memory.
#include "banks.h"

constexpr unsigned kAll = 0xFFFFFFFFu;

// Exchanges rows and columns of a tile: each lane has a column of it, and gets a row.
template <class T>
__device__ void exchange(T (&held)[32]) {
  const int lane = threadIdx.x;
#pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    const bool upper = (lane & bit) != 0;
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if ((i & bit) != 0) continue;
      const T given = upper ? held[i] : held[i | bit];
      const T taken = __shfl_xor_sync(kAll, given, bit);
      if (upper) {
        held[i] = taken;
      } else {
        held[i | bit] = taken;
      }
    }
  }
}

// Word is a type that shuffles can exchange.
template <class Word, class T>
__global__ void transpose_in_registers(const T* in, T* out, int rows, int cols) {
  const int lane = threadIdx.x;
  const int top = blockIdx.y * 32;
  const int left = blockIdx.x * 32;
  Word held[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const bool inside = top + i < rows && left + lane < cols;
    held[i] = inside ? static_cast<Word>(in[(top + i) * cols + left + lane]) : Word{};
  }
  exchange(held);
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    if (left + i < cols && top + lane < rows) {
      out[(left + i) * rows + top + lane] = static_cast<T>(held[i]);
    }
  }
}

__global__ void split_in_registers(const float2* in, int* re, int* im, int rows, int cols) {
  const int lane = threadIdx.x;
  const int top = blockIdx.y * 32;
  const int left = blockIdx.x * 32;
  int res[32];
  int ims[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const bool inside = top + i < rows && left + lane < cols;
    const float2 number = inside ? in[(top + i) * cols + left + lane] : float2{};
    res[i] = __float_as_int(number.x);
    ims[i] = __float_as_int(number.y);
  }
  exchange(res);
  exchange(ims);
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    if (left + i < cols && top + lane < rows) {
      re[(left + i) * rows + top + lane] = res[i];
      im[(left + i) * rows + top + lane] = ims[i];
    }
  }
}

__global__ void join_in_registers(const int* points, const int* masses, const int* charges,
                                  int* particles, int n) {
  const int lane = threadIdx.x;
  const int first = blockIdx.x * 32;
  const int count = min(32, n - first);
  int loaded[3];  // words lane, lane + 32 and lane + 64 of the warp's points
#pragma unroll
  for (int k = 0; k < 3; ++k) {
    const int word = lane + 32 * k;
    loaded[k] = word < 3 * count ? points[3 * first + word] : 0;
  }
  int parts[5];
#pragma unroll
  for (int part = 0; part < 3; ++part) {
    const int word = 3 * lane + part;
    const int from_first = __shfl_sync(kAll, loaded[0], word % 32);
    const int from_second = __shfl_sync(kAll, loaded[1], word % 32);
    const int from_third = __shfl_sync(kAll, loaded[2], word % 32);
    parts[part] = word < 32 ? from_first : word < 64 ? from_second : from_third;
  }
  parts[3] = lane < count ? masses[first + lane] : 0;
  parts[4] = lane < count ? charges[first + lane] : 0;
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    const int word = lane + 32 * k;
    int value = 0;
#pragma unroll
    for (int part = 0; part < 5; ++part) {
      const int given = __shfl_sync(kAll, parts[part], word / 5);
      if (word % 5 == part) value = given;
    }
    if (word < 5 * count) particles[5 * first + word] = value;
  }
}

dim3 TilesOf(int rows, int cols) { return dim3((cols + 31) / 32, (rows + 31) / 32); }

void transpose_chars(const char* in, char* out, int rows, int cols) {
  transpose_in_registers<int><<<TilesOf(rows, cols), 32>>>(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  transpose_in_registers<int><<<TilesOf(rows, cols), 32>>>(in, out, rows, cols);
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  transpose_in_registers<long long><<<TilesOf(rows, cols), 32>>>(
      reinterpret_cast<const long long*>(in), reinterpret_cast<long long*>(out), rows, cols);
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  split_in_registers<<<TilesOf(rows, cols), 32>>>(reinterpret_cast<const float2*>(in),
                                                  reinterpret_cast<int*>(re),
                                                  reinterpret_cast<int*>(im), rows, cols);
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  join_in_registers<<<(n + 31) / 32, 32>>>(
      reinterpret_cast<const int*>(points), reinterpret_cast<const int*>(masses),
      reinterpret_cast<const int*>(charges), reinterpret_cast<int*>(particles), n);
}

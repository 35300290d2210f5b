// score: 100
// Shared memory is addressed by 32-bit numbers in inline PTX, with loads and stores of .u8, .u16
// and .b64; specialised templates choose the instruction. Barriers are PTX too. Blocks have 32 x 4
// threads in one dimension.
#include <cstdint>

#include "banks.h"

namespace ptx {

template <int kSize>
struct Memory;

#define DEFINE_MEMORY(size, type, letter, word)                                             \
  template <>                                                                               \
  struct Memory<size> {                                                                     \
    using Word = type;                                                                      \
    static __device__ Word Load(unsigned address) {                                         \
      Word value;                                                                           \
      asm volatile("ld.shared." word " %0, [%1];" : "=" letter(value) : "r"(address));      \
      return value;                                                                         \
    }                                                                                       \
    static __device__ void Store(unsigned address, Word value) {                            \
      asm volatile("st.shared." word " [%0], %1;" ::"r"(address), letter(value) : "memory"); \
    }                                                                                       \
  }

DEFINE_MEMORY(1, std::uint16_t, "h", "u8");
DEFINE_MEMORY(2, std::uint16_t, "h", "u16");
DEFINE_MEMORY(4, std::uint32_t, "r", "b32");
DEFINE_MEMORY(8, std::uint64_t, "l", "b64");

__device__ unsigned Base() {
  extern __shared__ __align__(16) unsigned char room[];
  return static_cast<unsigned>(__cvta_generic_to_shared(room));
}

__device__ void Barrier() { asm volatile("barrier.sync 0;" ::: "memory"); }

// An element that is not in the matrix is neither loaded nor stored.
template <class T, class Put>
__global__ void Transpose(const T* in, Put put, int rows, int cols, int pitch) {
  using M = Memory<sizeof(T)>;
  const unsigned base = Base();
  const int across = (cols + 31) / 32;
  const int top = blockIdx.x / across * 32, left = blockIdx.x % across * 32;
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int r = k * 4 + (threadIdx.x >> 5);
    if (top + r < rows && left + lane < cols) {
      M::Store(base + r * pitch + lane * sizeof(T),
               static_cast<typename M::Word>(in[static_cast<size_t>(top + r) * cols + left + lane]));
    }
  }
  Barrier();
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int c = k * 4 + (threadIdx.x >> 5);
    if (left + c < cols && top + lane < rows) {
      put(static_cast<size_t>(left + c) * rows + top + lane,
          M::Load(base + lane * pitch + c * sizeof(T)));
    }
  }
}

template <class T>
struct Whole {
  T* out;
  template <class Word>
  __device__ void operator()(size_t i, Word word) const {
    out[i] = static_cast<T>(word);
  }
};

struct Halves {
  std::uint32_t *low, *high;
  __device__ void operator()(size_t i, std::uint64_t word) const {
    asm volatile(
        "{\n\t.reg .b32 l, h;\n\t"
        "mov.b64 {l, h}, %2;\n\t"
        "st.global.b32 [%0], l;\n\t"
        "st.global.b32 [%1], h;\n\t}" ::"l"(low + i),
        "l"(high + i), "l"(word)
        : "memory");
  }
};

template <class T, class Put>
void Launch(const T* in, const Put& put, int rows, int cols) {
  const int pitch = 32 * sizeof(T) + (sizeof(T) == 8 ? 8 : 4);  // bytes
  const unsigned tiles = ((rows + 31) / 32) * ((cols + 31) / 32);
  Transpose<<<tiles, 128, 32 * pitch>>>(in, put, rows, cols, pitch);
}

__global__ void Join(const std::uint32_t* points, const std::uint32_t* masses,
                     const std::uint32_t* charges, std::uint32_t* particles, int n) {
  using M = Memory<4>;
  const unsigned in = Base(), out = Base() + 12 * blockDim.x;
  const int first = blockIdx.x * blockDim.x;
  const int count = min(static_cast<int>(blockDim.x), n - first);
  const int t = threadIdx.x;
  for (int w = t; w < 3 * count; w += blockDim.x) M::Store(in + 4 * w, points[3ull * first + w]);
  Barrier();
  if (t < count) {
#pragma unroll
    for (int k = 0; k < 3; ++k) M::Store(out + 20 * t + 4 * k, M::Load(in + 12 * t + 4 * k));
    M::Store(out + 20 * t + 12, masses[first + t]);
    M::Store(out + 20 * t + 16, charges[first + t]);
  }
  Barrier();
  for (int w = t; w < 5 * count; w += blockDim.x) particles[5ull * first + w] = M::Load(out + 4 * w);
}

}  // namespace ptx

void transpose_chars(const char* in, char* out, int rows, int cols) {
  ptx::Launch(reinterpret_cast<const std::uint8_t*>(in),
              ptx::Whole<std::uint8_t>{reinterpret_cast<std::uint8_t*>(out)}, rows, cols);
}
void transpose_shorts(const short* in, short* out, int rows, int cols) {
  ptx::Launch(reinterpret_cast<const std::uint16_t*>(in),
              ptx::Whole<std::uint16_t>{reinterpret_cast<std::uint16_t*>(out)}, rows, cols);
}
void transpose_doubles(const double* in, double* out, int rows, int cols) {
  ptx::Launch(reinterpret_cast<const std::uint64_t*>(in),
              ptx::Whole<std::uint64_t>{reinterpret_cast<std::uint64_t*>(out)}, rows, cols);
}
void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  ptx::Launch(
      reinterpret_cast<const std::uint64_t*>(in),
      ptx::Halves{reinterpret_cast<std::uint32_t*>(re), reinterpret_cast<std::uint32_t*>(im)}, rows,
      cols);
}
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  using std::uint32_t;
  constexpr int kBlock = 96;
  ptx::Join<<<(n + kBlock - 1) / kBlock, kBlock, 32 * kBlock>>>(
      reinterpret_cast<const uint32_t*>(points), reinterpret_cast<const uint32_t*>(masses),
      reinterpret_cast<const uint32_t*>(charges), reinterpret_cast<uint32_t*>(particles), n);
}

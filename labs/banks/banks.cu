// A warp reads an array in shared memory with a stride. Bank b has the words b, b + 32, b + 64 ...

struct Three {
  float x, y, z;
};
struct Five {
  float a, b, c, d, e;
};

__device__ float Sum(char v) { return v; }
__device__ float Sum(short v) { return v; }
__device__ float Sum(float v) { return v; }
__device__ float Sum(double v) { return static_cast<float>(v); }
__device__ float Sum(Three v) { return v.x + v.y + v.z; }
__device__ float Sum(Five v) { return v.a + v.b + v.c + v.d + v.e; }

constexpr int kMostStride = 33;

// Lane i reads element i * stride of an array of T.
template <class T>
__global__ void strided(const unsigned* in, float* out, int stride) {
  constexpr int kElements = 31 * kMostStride + 1;
  constexpr int kWords = (kElements * sizeof(T) + 3) / 4;
  __shared__ __align__(16) unsigned words[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) words[i] = in[i];
  __syncthreads();
  const T* const elements = reinterpret_cast<const T*>(words);
  out[blockIdx.x * 32 + threadIdx.x] = Sum(elements[threadIdx.x * stride]);
}

// Lane i reads the two words of pair i * stride, one after the other.
extern "C" __global__ void pairs(const unsigned* in, float* out, int stride) {
  constexpr int kWords = 2 * (31 * kMostStride + 1);
  __shared__ unsigned words[kWords];
  for (int i = threadIdx.x; i < kWords; i += 32) words[i] = in[i];
  __syncthreads();
  const volatile unsigned* const pair = words + 2 * threadIdx.x * stride;
  out[blockIdx.x * 32 + threadIdx.x] = static_cast<float>(pair[0] + pair[1]);
}

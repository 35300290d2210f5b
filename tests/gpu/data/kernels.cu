// These are the kernels for tests on a real GPU.
#include <cassert>
#include <cstdio>

__device__ int counter = 5;
static __device__ int table[4];
__constant__ int weights[2] = {10, 20};
static __constant__ int scales[2];
__managed__ int managed = 7;

// Stores the values of the variables in out[0..4].
extern "C" __global__ void read_variables(int* out) {
  out[0] = counter;
  out[1] = table[3];
  out[2] = weights[1];
  out[3] = scales[1];
  out[4] = managed;
  table[0] = 77;
}

__global__ void increment(float* data, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) data[i] += 1;
}

// Passes the data through dynamic shared memory, from its end.
extern "C" __global__ void through_shared(int* data, int words) {
  extern __shared__ int tile[];
  tile[words - 1 - static_cast<int>(threadIdx.x)] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = tile[words - 1 - static_cast<int>(threadIdx.x)] + words;
}

// Writes one word at `offset` words from data.
extern "C" __global__ void write_at(int* data, long long offset) { data[offset] = 1; }

extern "C" __global__ void write_misaligned(char* data) { *reinterpret_cast<int*>(data + 1) = 1; }

extern "C" __global__ void trap(int* data) {
  if (data[0] != 123456) __trap();
}

extern "C" __global__ void fail_assert(int* data) {
  assert(data[threadIdx.x] == 123456);
  data[0] = 1;
}

extern "C" __global__ void print(int* data, int n) { printf("printed %d\n", n + data[0]); }

extern "C" __global__ void __launch_bounds__(128) bounded(int* data) { data[threadIdx.x] = 1; }

// Sets out[y * width + x] to the texel at (x + shift, y).
extern "C" __global__ void sample(float* out, cudaTextureObject_t texture, int width, float shift) {
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const float u = static_cast<float>(x) + 0.5f + shift;
  const float v = static_cast<float>(y) + 0.5f;
  out[y * width + x] = tex2D<float>(texture, u, v);
}

extern "C" __global__ void fetch(float* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, static_cast<int>(threadIdx.x));
}

// Sets out[i] to the texels of layer i, read as numbers from 0 to 1.
extern "C" __global__ void sample_layers(float* out, cudaTextureObject_t texture) {
  out[threadIdx.x] = tex1DLayered<float>(texture, 1.5f, static_cast<int>(threadIdx.x));
}

extern "C" __global__ void double_surface(cudaSurfaceObject_t surface) {
  const int x = static_cast<int>(threadIdx.x * sizeof(float));
  const int y = static_cast<int>(threadIdx.y);
  surf2Dwrite(2 * surf2Dread<float>(surface, x, y), surface, x, y);
}

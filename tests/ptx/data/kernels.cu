// These are ordinary kernels: they use tiles, shuffles, atomics, constant memory, dynamic shared
// memory, half and double.
#ifndef WITHOUT_GROUPS
#include <cooperative_groups.h>
#endif
#include <cuda_fp16.h>
#include <cuda_bf16.h>

#include <cassert>
#include <cstdio>

#ifndef WITHOUT_GROUPS
namespace cg = cooperative_groups;
#endif

constexpr int kTile = 16;
__constant__ float weights[9];
__device__ int counter;
__device__ int* counter_address = &counter;

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float left[kTile][kTile], right[kTile][kTile + 1];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += kTile) {
    left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum * weights[threadIdx.x % 9];
}

__global__ void __launch_bounds__(256) reduce(const float* in, float* out, int n) {
  extern __shared__ float shared[];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  if (__ballot_sync(~0u, sum > 0) && __syncthreads_count(sum > 1)) atomicAdd(out, shared[0]);
  if (__match_any_sync(~0u, threadIdx.x) > 3) atomicCAS(&counter, 1, *counter_address);
}

#ifndef WITHOUT_GROUPS
__global__ void groups(int* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int sum = threadIdx.x;
  for (int i = warp.size() / 2; i > 0; i /= 2) sum += warp.shfl_xor(sum, i);
  auto active = cg::coalesced_threads();
  if (active.thread_rank() == 0) atomicMax(out, sum);
  cg::this_thread_block().sync();
  out[threadIdx.x] = __reduce_add_sync(~0u, sum);
}

#endif
struct Point { double x, y; char tag; };

template <class T>
__global__ void scale(T* out, Point by, T value) {
  out[threadIdx.x] = static_cast<T>(value * by.x + by.y * by.tag);
}
template __global__ void scale<float>(float*, Point, float);
template __global__ void scale<long long>(long long*, Point, long long);

__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ Point twice(Point p) { return {2 * p.x, 2 * p.y, p.tag}; }
__global__ void recursion(int* out, Point* points) {
  out[threadIdx.x] = fibonacci(threadIdx.x);
  points[threadIdx.x] = twice(points[threadIdx.x]);
}

__device__ float one(float x) { return x + 1; }
__device__ float two(float x) { return x * 2; }
using Change = float (*)(float);
__device__ Change changes[] = {one, two};
__global__ void pointers(float* x, int which) { x[threadIdx.x] = changes[which](x[threadIdx.x]); }

__global__ void print(int n) {
  if (threadIdx.x == 0) printf("n is %d of %f\n", n, 1.5);
  assert(n > 3);
  int* memory = static_cast<int*>(malloc(n));
  free(memory);
}

__global__ void halves(__half* a, __half2* b, __nv_bfloat16* c, float* d) {
  const int i = threadIdx.x;
  a[i] = __hfma(a[i], a[i], __float2half(d[i]));
  b[i] = __hadd2(b[i], __hmul2(b[i], b[i]));
  c[i] = c[i] * c[i] + __float2bfloat16(d[i]);
  if (__hlt(a[i], a[i + 1])) d[i] = __half2float(a[i]) + __bfloat162float(c[i]);
  a[i] = __hmax(hsqrt(a[i]), hexp(a[i]));
}

__global__ void doubles(double* x, float* y) {
  const int i = threadIdx.x;
  x[i] = sin(x[i]) + exp(x[i]) * pow(x[i], 3.5) / sqrt(x[i]) + fmod(x[i], 3.0) + erf(x[i]);
  y[i] = sinf(y[i]) + powf(y[i], 2.5f) / tanhf(y[i]) + log10f(y[i]) + __fdividef(y[i], 3.f);
  y[i] += rsqrtf(y[i]) + __expf(y[i]) + floorf(y[i]) + rintf(y[i]) + fminf(y[i], 2) + cbrtf(y[i]);
}

__global__ void integers(unsigned* a, long long* b, unsigned char* c, int n) {
  const int i = threadIdx.x;
  a[i] = __popc(a[i]) + __clz(a[i]) + __brev(a[i]) + __ffs(a[i]) + __byte_perm(a[i], n, 0x3210);
  a[i] += __funnelshift_l(a[i], n, 3) + __dp4a(a[i], a[i], 3u) + __umulhi(a[i], n) + a[i] % n;
  b[i] = b[i] / n + __mul64hi(b[i], n) + llabs(b[i]) + (b[i] >> n);
  c[i] = static_cast<unsigned char>(c[i] * 3 + n);
  switch (n) {
    case 0: a[i] ^= 1; break;
    case 1: a[i] += c[i]; break;
    case 2: a[i] -= 7; break;
    case 3: a[i] *= c[i]; break;
    case 4: a[i] |= 9; break;
    case 5: a[i] &= c[i]; break;
    case 6: a[i] = b[i]; break;
  }
  __threadfence();
  atomicInc(a, 7);
  atomicExch(a + 1, 7);
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 3; @p bra DONE; st.global.u32 [%1], %0; DONE: }"
               :: "r"(n), "l"(a));
  asm volatile("{ DONE: nanosleep.u32 20; }");
}
__global__ void vectors(float4* a, const float4* __restrict__ b, double2* c, uchar4* d) {
  float4 v = b[threadIdx.x];
  v.x += __ldg(&b[3]).y;
  a[threadIdx.x] = v;
  c[threadIdx.x].x *= clock64();
  d[threadIdx.x].w += 3;
}

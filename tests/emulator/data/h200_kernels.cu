// The kernels whose counters were measured on an H200 (compute capability 9.0, CUDA 13.0, driver
// 580) by CUPTI's SASS Metrics API. h200_launches.txt lists the launches, and h200_counters.txt the
// counts. The PTX was compiled by
//   nvcc -ptx -lineinfo -arch=compute_90 h200_kernels.cu -o h200_kernels.ptx

#include <cuda_runtime.h>
#define TD 32
__global__ void k_copy(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void k_offset(const float* in, float* out, int n, int off) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + off;
  if (i < n) out[i] = in[i];
}
__global__ void k_stride(const float* in, float* out, int n, int s) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * s;
  if (i < n) out[i] = in[i];
}
__global__ void k_copy4(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void k_copy2(const double* in, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void k_copy1(const char* in, char* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void k_tnaive(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * TD + threadIdx.x, y = blockIdx.y * TD + threadIdx.y;
  for (int j = 0; j < TD; j += 8)
    if (x < w && y + j < h) out[x * h + y + j] = in[(y + j) * w + x];
}
template <int PAD>
__global__ void k_ttile(const float* in, float* out, int w, int h) {
  __shared__ float t[TD][TD + PAD];
  int x = blockIdx.x * TD + threadIdx.x, y = blockIdx.y * TD + threadIdx.y;
  for (int j = 0; j < TD; j += 8)
    if (x < w && y + j < h) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * TD + threadIdx.x;
  y = blockIdx.x * TD + threadIdx.y;
  for (int j = 0; j < TD; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
__global__ void k_matmul(const float* A, const float* B, float* C, int n) {
  __shared__ float a[16][16], b[16][16];
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  float s = 0;
  for (int m = 0; m < n / 16; m++) {
    a[threadIdx.y][threadIdx.x] = A[r * n + m * 16 + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(m * 16 + threadIdx.y) * n + c];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[r * n + c] = s;
}
__global__ void k_matmul_naive(const float* A, const float* B, float* C, int n) {
  int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < n && c < n) {
    float s = 0;
    for (int k = 0; k < n; k++) s += A[r * n + k] * B[k * n + c];
    C[r * n + c] = s;
  }
}
__global__ void k_reddiv(const float* in, float* out) {
  extern __shared__ float p[];
  unsigned t = threadIdx.x;
  p[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    __syncthreads();
    if (t % (2 * s) == 0) p[t] += p[t + s];
  }
  if (t == 0) out[blockIdx.x] = p[0];
}
__global__ void k_redseq(const float* in, float* out) {
  extern __shared__ float p[];
  unsigned t = threadIdx.x;
  p[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) p[t] += p[t + s];
  }
  if (t == 0) out[blockIdx.x] = p[0];
}
template <class T, int S>
__global__ void k_smem(T* out, int salt) {
  __shared__ T s[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = T(i + salt);
  __syncthreads();
  T v = s[(threadIdx.x * S) & 1023];
  __syncthreads();
  s[(threadIdx.x * S + 1) & 1023] = v;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}
struct F3 {
  float x, y, z;
};
struct F2I {
  float f;
  int c;
};
__global__ void k_aos3(const F3* in, F3* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
__global__ void k_sf4(float4* out, int s) {
  __shared__ float4 t[256];
  t[threadIdx.x] = make_float4(s, s, s, threadIdx.x);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = t[(threadIdx.x * s) & 255];
}
__global__ void k_hist(const unsigned* in, unsigned* bins, int n) {
  __shared__ unsigned h[256];
  h[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[in[i] & 255], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], h[threadIdx.x]);
}
template <int O>
__global__ void k_stencil(const float* p, float* c, int gx, int nx, int ny) {
  const int b = O / 2;
  int x = blockIdx.x * blockDim.x + threadIdx.x + b, y = blockIdx.y * blockDim.y + threadIdx.y + b;
  if (x < gx - b && y < ny + b) {
    float s = -4.f * p[y * gx + x];
#pragma unroll
    for (int k = 1; k <= b; k++)
      s += (p[y * gx + x - k] + p[y * gx + x + k] + p[(y - k) * gx + x] + p[(y + k) * gx + x]) *
           (1.f / k);
    c[y * gx + x] = s;
  }
}
template __global__ void k_ttile<0>(const float*, float*, int, int);
template __global__ void k_ttile<1>(const float*, float*, int, int);
template __global__ void k_smem<float, 0>(float*, int);
template __global__ void k_smem<float, 1>(float*, int);
template __global__ void k_smem<float, 2>(float*, int);
template __global__ void k_smem<float, 3>(float*, int);
template __global__ void k_smem<float, 8>(float*, int);
template __global__ void k_smem<float, 32>(float*, int);
template __global__ void k_smem<double, 1>(double*, int);
template __global__ void k_smem<double, 2>(double*, int);
template __global__ void k_smem<double, 16>(double*, int);
template __global__ void k_smem<char, 1>(char*, int);
template __global__ void k_smem<short, 1>(short*, int);
template __global__ void k_smem<short, 2>(short*, int);
template __global__ void k_stencil<2>(const float*, float*, int, int, int);
template __global__ void k_stencil<8>(const float*, float*, int, int, int);

// In this kernel every line does one thing, for counters by line. It was compiled by: nvcc -ptx
// -lineinfo -arch=compute_75 lines.cu -o lines.ptx. The pointers are volatile, because otherwise
// ptxas would let the caller load the value.
__device__ __noinline__ void Twice(const volatile float* from, float* to) {
  *to = 2 * *from;
}

__global__ void Lines(const float* in, float* out, int* count) {
  __shared__ float tile[32][32];
  tile[0][threadIdx.x] = in[threadIdx.x];
  tile[threadIdx.x][1] = 1;
  __syncthreads();
  out[threadIdx.x * 8] = tile[0][31 - threadIdx.x];
  Twice(in + threadIdx.x, out + threadIdx.x + 1024);
  if (threadIdx.x < 7) atomicAdd(count, 1);
}

__global__ void Fault(int* p) { p[threadIdx.x] = 1; }

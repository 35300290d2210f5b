// Kernels that differ in what they need of a multiprocessor.

// Needs few registers and no shared memory.
extern "C" __global__ void few_registers(const float* in, float* out, int n) {
  const int block = blockIdx.x * blockDim.x * blockDim.y;
  const int i = block + threadIdx.y * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 1;
}

// Keeps kValues numbers of each thread in registers, because each is used twice.
template <int kValues>
__global__ void many_registers(const float* in, float* out, int n) {
  const int block = blockIdx.x * blockDim.x * blockDim.y;
  const int i = block + threadIdx.y * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float values[kValues];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kValues; ++k) {
    values[k] = in[(i + k * 32) % n];
    sum += values[k];
  }
  float scaled = 0;
#pragma unroll
  for (int k = 0; k < kValues; ++k) scaled = scaled * sum + values[k];
  out[i] = scaled;
}

// Uses dynamic shared memory, of which the launch says how much.
extern "C" __global__ void shared_tile(const float* in, float* out, int n) {
  extern __shared__ float tile[];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int i = blockIdx.x * blockDim.x * blockDim.y + t;
  if (i < n) tile[t] = in[i];
  __syncthreads();
  if (i < n) out[i] = tile[t];
}

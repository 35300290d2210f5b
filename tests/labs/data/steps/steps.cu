// The kernels of the tests' lab with memory of the host, pieces, textures and a limit of registers.

extern "C" __global__ void twice(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

extern "C" __global__ void twice_texture(cudaTextureObject_t in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * tex2D<float>(in, i % 32 + 0.5f, i / 32 + 0.5f);
}

// Needs about 40 registers.
extern "C" __global__ void twice_slowly(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float held[32];
#pragma unroll
  for (int k = 0; k < 32; ++k) held[k] = in[(i + 8 * k) % 256];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 32; ++k) sum += held[31 - k] * held[k];
  out[i] = 2 * in[i] + 0 * sum;
}

extern "C" __global__ void count_wrong(const float* in, const float* out, unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (out[i] != 2 * in[i]) atomicAdd(wrong, 1u);
}

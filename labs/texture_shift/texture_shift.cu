// Copies of n floats that begin `shift` places further on, by loads and through textures.

extern "C" __global__ void shift_loads(const float* in, float* out, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + shift];
}

extern "C" __global__ void shift_read_only(const float* in, float* out, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __ldg(in + i + shift);
}

extern "C" __global__ void shift_fetches(cudaTextureObject_t in, float* out, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = tex1Dfetch<float>(in, i + shift);
}

extern "C" __global__ void shift_rows(cudaTextureObject_t in, float* out, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = (i + shift) % 1024, y = (i + shift) / 1024;
  out[i] = tex2D<float>(in, x + 0.5f, y + 0.5f);
}

// Counts the floats that differ from the shifted array.
extern "C" __global__ void count_wrong(const float* in, const float* out, int shift,
                                       unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (out[i] != in[i + shift]) atomicAdd(wrong, 1u);
}

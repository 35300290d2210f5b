// Work on one piece of an array: each thread computes with its float for `rounds` rounds.

__device__ __forceinline__ float Worked(float value, int rounds) {
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) value = value * 0.5f + 1;
  return value;
}

extern "C" __global__ void work(const float* in, float* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = Worked(in[i], rounds);
}

// Computes each float of the whole array again and counts those that differ.
extern "C" __global__ void count_wrong(const float* in, const float* out, int rounds,
                                       unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (out[i] != Worked(in[i], rounds)) atomicAdd(wrong, 1u);
}

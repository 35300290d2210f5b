// Adds 1 to each float of an array. The kernels differ in how much of the array a thread has in
// flight at once: it loads kLoads words, and only then stores them. A word has 1, 2 or 4 floats.

__device__ __forceinline__ float PlusOne(float v) { return v + 1; }
__device__ __forceinline__ float2 PlusOne(float2 v) { return {v.x + 1, v.y + 1}; }
__device__ __forceinline__ float4 PlusOne(float4 v) { return {v.x + 1, v.y + 1, v.z + 1, v.w + 1}; }

// A block has kLoads parts of blockDim.x words each. The dynamic shared memory is not used: it
// limits how many blocks a multiprocessor runs at once.
template <class Word, int kLoads>
__global__ void increment(const Word* in, Word* out) {
  const int first = blockIdx.x * blockDim.x * kLoads + threadIdx.x;
  Word words[kLoads];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) words[i] = in[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) out[first + i * blockDim.x] = PlusOne(words[i]);
}

extern "C" __global__ void count_wrong(const float* in, const float* out, unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (out[i] != in[i] + 1) atomicAdd(wrong, 1u);
}

// Copies of n floats by a block for each 256 of them, whose warps use memory in different ways.

// Element i of the copy is that of `offset` places further on.
extern "C" __global__ void copy_offset(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + offset] = in[i + offset];
}

// The threads of a warp exchange their elements: the first uses the last one.
extern "C" __global__ void copy_permuted(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + (threadIdx.x ^ 31);
  if (i < n) out[i + offset] = in[i + offset];
}

// Neighbouring threads use elements that are `offset` + 1 places apart.
extern "C" __global__ void copy_stride(const float* in, float* out, int n, int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const long at = static_cast<long>(i) * (offset + 1);
  if (i < n) out[at] = in[at];
}

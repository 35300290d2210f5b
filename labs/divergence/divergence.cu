// Every thread takes one of `paths` branches, each with the same work. Only the order differs in
// which branches are given to threads.

// Does some work that differs from path to path.
__device__ __noinline__ unsigned Work(unsigned value, unsigned path) {
#pragma unroll 1
  for (int step = 0; step < 32; ++step) value = value * (2 * path + 5) + step;
  return value;
}

__device__ __forceinline__ unsigned TakePath(unsigned value, unsigned path, unsigned paths) {
#pragma unroll 1
  for (unsigned branch = 0; branch < paths; ++branch) {
    if (branch == path) value = Work(value, path);
  }
  return value;
}

// Neighbouring lanes take different branches.
extern "C" __global__ void by_lane(const unsigned* in, unsigned* out, int paths) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = TakePath(in[i], i % paths, paths);
}

// All lanes of a warp take one branch, and neighbouring warps different ones.
extern "C" __global__ void by_warp(const unsigned* in, unsigned* out, int paths) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = TakePath(in[i], i / 32 % paths, paths);
}

// The kernels of the tests' small lab.

template <int kStride>
__global__ void store(unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * kStride] = i;
}

extern "C" __global__ void plain(unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

// Counts the elements of `out` that do not hold their index.
extern "C" __global__ void count_wrong(const unsigned* out, int n, int stride, unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && out[i * stride] != i) atomicAdd(wrong, 1u);
}

extern "C" __global__ void writes_nothing(unsigned*, int) {}

extern "C" __global__ void leaves_its_array(unsigned* out, int n) { out[64 * n] = 1; }

// A check that reads behind the array `out`.
extern "C" __global__ void reads_too_far(const unsigned* out, int n, int stride, unsigned* wrong) {
  if (out[64 * n * stride] == 5) atomicAdd(wrong, 1u);
}

namespace inner {
__global__ void plain_too(unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}
}  // namespace inner

// Two kernels of one name.
__global__ void twice(unsigned*) {}
__global__ void twice(unsigned*, int) {}

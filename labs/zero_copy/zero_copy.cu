// Each thread sums `times` numbers of an array, which lies in host memory or in device memory. In
// each step a thread reads another number, so that the cache of the multiprocessor does not help.

extern "C" __global__ void sums(const float* in, float* out, int n, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int step = n / times;
  float sum = 0;
#pragma unroll 1
  for (int k = 0, at = i; k < times; ++k) {
    sum += in[at];
    at += step;
    if (at >= n) at -= n;
  }
  out[i] = sum;
}

// Computes each sum again and counts those that differ. The sums are whole numbers.
extern "C" __global__ void count_wrong(const float* in, const float* out, int n, int times,
                                       unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < times; ++k) sum += in[(i + static_cast<long>(k) * (n / times)) % n];
  if (out[i] != sum) atomicAdd(wrong, 1u);
}

// Quicksort. A block splits its part of the numbers by a pivot. Then either kernels that it
// launches sort the smaller and the larger numbers, or the same block does, one part after the
// other.

constexpr int kThreads = 128;  // of a block; a part of at most as many numbers is sorted at once
constexpr int kDeepest = 64;   // parts that wait on the stack, at most

__device__ unsigned Median(unsigned a, unsigned b, unsigned c) {
  return max(min(a, b), min(max(a, b), c));
}

// Sorts up to kThreads numbers: each thread counts how many belong before its own.
__device__ void SortSmall(unsigned* data, int n) {
  __shared__ unsigned all[kThreads];
  const int i = threadIdx.x;
  if (i < n) all[i] = data[i];
  __syncthreads();
  if (i < n) {
    int before = 0;
    for (int k = 0; k < n; ++k) before += all[k] < all[i] || (all[k] == all[i] && k < i);
    data[before] = all[i];
  }
  __syncthreads();
}

// Moves the numbers below a pivot to the front, and those above it to the back. Returns how many
// these are, by `less` and `more`.
__device__ void Split(unsigned* data, unsigned* spare, int n, int& less, int& more) {
  __shared__ int low, high;
  const unsigned pivot = Median(data[0], data[n / 2], data[n - 1]);
  if (threadIdx.x == 0) low = high = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned number = data[i];
    if (number < pivot) spare[atomicAdd(&low, 1)] = number;
    if (number > pivot) spare[n - 1 - atomicAdd(&high, 1)] = number;
  }
  __syncthreads();
  less = low;
  more = high;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    data[i] = i < less || i >= n - more ? spare[i] : pivot;
  }
  __syncthreads();
}

extern "C" __global__ void sort_by_launches(unsigned* data, unsigned* spare, int n, int small) {
  if (n <= small) return SortSmall(data, n);
  int less, more;
  Split(data, spare, n, less, more);
  if (threadIdx.x != 0) return;
  if (less > 1) sort_by_launches<<<1, kThreads>>>(data, spare, less, small);
  const int above = n - more;
  if (more > 1) sort_by_launches<<<1, kThreads>>>(data + above, spare + above, more, small);
}

extern "C" __global__ void sort_by_a_stack(unsigned* data, unsigned* spare, int n, int small) {
  __shared__ int begins[kDeepest], ends[kDeepest];
  int depth = 0;  // every thread has the same
  for (int begin = 0, end = n;;) {
    if (end - begin <= small) {
      SortSmall(data + begin, end - begin);
      if (depth == 0) return;
      --depth;
      begin = begins[depth];
      end = ends[depth];
      __syncthreads();
      continue;
    }
    int less, more;
    Split(data + begin, spare + begin, end - begin, less, more);
    // The larger part waits, so that the stack stays small.
    const int from = less < more ? end - more : begin;
    const int to = less < more ? end : begin + less;
    if (threadIdx.x == 0) {
      begins[depth] = from;
      ends[depth] = to;
    }
    __syncthreads();
    ++depth;
    if (less < more) {
      end = begin + less;
    } else {
      begin = end - more;
    }
  }
}

// Counts the numbers that stand at a wrong place: fewer or more are below them than they stand for.
extern "C" __global__ void count_wrong(const unsigned* in, const unsigned* out, int n,
                                       unsigned* wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int below = 0, equal = 0;
  for (int k = 0; k < n; ++k) {
    below += in[k] < out[i];
    equal += in[k] == out[i];
  }
  if (i < below || i >= below + equal) atomicAdd(wrong, 1u);
}

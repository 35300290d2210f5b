// Kernels as students write them. programs_test.cc computes the same on the host.
#include <cassert>
#include <cstdio>

struct Pair {
  int first;
  double second;
  char tag;
};

__device__ int counter = 5;
__device__ int table[4] = {1, 10, 100, 1000};
__device__ int* into_table = &table[2];
__constant__ float weights[3] = {0.5f, 0.25f, 2.0f};
__managed__ int shared_with_host = 3;

__device__ __noinline__ Pair Combine(Pair a, Pair b, int scale) {
  return Pair{a.first * scale + b.first, a.second - b.second, static_cast<char>(a.tag + 1)};
}

__device__ __noinline__ int Fibonacci(int n) {
  return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2);
}

__device__ __noinline__ int AddOne(int x) { return x + 1; }
__device__ __noinline__ int Square(int x) { return x * x; }
__device__ __noinline__ int Negate(int x) { return -x; }
using Function = int (*)(int);
__device__ Function functions[3] = {AddOne, Square, Negate};
__device__ Function chosen;

__device__ __noinline__ int LeaveIfOdd(int x) {
  if (x % 2 != 0) asm volatile("exit;");
  return x / 2;
}

__device__ __noinline__ int Classify(int x) {
  if (x < 3) return 100;
  for (int i = 2; i < x; ++i) {
    if (x % i == 0) return i;
    if (i * i > x) break;
  }
  return 0;
}

struct Shape {
  __device__ virtual int Area() const = 0;
};
struct Square2 : Shape {
  int side;
  __device__ explicit Square2(int s) : side(s) {}
  __device__ int Area() const override { return side * side; }
};
struct Strip : Shape {
  int length;
  __device__ explicit Strip(int l) : length(l) {}
  __device__ int Area() const override { return 2 * length; }
};

extern "C" {

__global__ void structs(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  const Pair a{i, i * 1.5, 'a'};
  const Pair b{2 * i, 0.25, 'b'};
  const Pair c = Combine(a, b, i % 3);
  out[i] = c.first + static_cast<int>(4 * c.second) + c.tag;
}

__global__ void by_value(Pair pair, int* out) {
  out[threadIdx.x] = pair.first + static_cast<int>(pair.second) + pair.tag;
}

__global__ void fibonacci(int* out) { out[threadIdx.x] = Fibonacci(threadIdx.x % 12); }

__global__ void pointers(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  int value = i;
  for (int k = 0; k <= i % 4; ++k) value = functions[(i + k) % 3](value);
  out[i] = value;
}

__global__ void choose() { chosen = Negate; }
__global__ void call_chosen(int* out) { out[threadIdx.x] = chosen(threadIdx.x); }

__global__ void leave(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = LeaveIfOdd(i) + 1000;
}

__global__ void classify(int* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = Classify(i);
}

__global__ void switches(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  int value = 0;
  for (int k = 0; k < 9; ++k) {
    switch ((i * 7 + k) % 8) {
      case 0: value += 3; break;
      case 1: value *= 5; break;
      case 2: value ^= 77; break;
      case 3: value += k; [[fallthrough]];
      case 4: value -= i; break;
      case 5: value <<= 1; break;
      case 6: continue;
      default: value = value * 3 + 1;
    }
    if (value > 100000) break;
  }
  out[i] = value;
}

__global__ void positions(int* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] =
      blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z + 1000 * threadIdx.x + 10000 * threadIdx.y +
      100000 * threadIdx.z;
}

__global__ void both_shared(const int* in, int* out) {
  __shared__ int fixed[128];
  extern __shared__ int given[];
  const int i = static_cast<int>(threadIdx.x);
  fixed[i] = in[i];
  given[blockDim.x - 1 - i] = 10 * in[i];
  __syncthreads();
  out[i] = fixed[blockDim.x - 1 - i] + given[i];
}

__global__ void variables(int* out) {
  out[0] = counter;
  out[1] = into_table[1] + *into_table;
  out[2] = static_cast<int>(8 * (weights[0] + weights[1] + weights[2]));
  out[3] = shared_with_host;
  counter = 6;
  *into_table = 7;
}

__global__ void count(int* total, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n) atomicAdd(total, 1);
}

// Warp 0 waits for warp 1 without a barrier.
__global__ void spin(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (flag == 0) {
    }
    out[threadIdx.x] = flag;
  } else if (threadIdx.x == 32) {
    flag = 9;
  }
}

__global__ void virtuals(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  Shape* shape = i % 3 == 0 ? static_cast<Shape*>(new Square2(i)) : new Strip(i);
  out[i] = shape->Area();
  delete shape;
}

__global__ void local_array(int* out, int by) {
  int values[16];
  for (int k = 0; k < 16; ++k) values[k] = static_cast<int>(threadIdx.x) + k;
  int sum = 0;
  for (int k = 0; k < 16; ++k) sum = sum * 3 + values[(k * by) & 15];
  out[threadIdx.x] = sum;
}

__global__ void sum_warp(int* out) {
  int value = static_cast<int>(threadIdx.x);
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  out[threadIdx.x] = value;
}

__global__ void print() {
  if (threadIdx.x < 2) printf("thread %d of %s: %.2f\n", threadIdx.x, "print", threadIdx.x / 4.0);
}
__global__ void print_much(int n) {
  for (int i = 0; i < n; ++i) printf("0123456789012345678901234567890123456789012345678901234567890\n");
}

__global__ void asserts(int limit) { assert(static_cast<int>(threadIdx.x) < limit); }

__global__ void free_wrong(int* pointer) { free(pointer); }

__global__ void into_constant(const float* address) {
  *const_cast<float*>(address) = 1.0f;
}

__global__ void __launch_bounds__(64) bounded(int* out) { out[threadIdx.x] = 1; }

}  // extern "C"

// The cases of a program. Each is a function that makes one mistake if `wrong`, and does the same
// work in an order that CUDA promises if not.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                       \
  do {                                                                    \
    const cudaError_t error = (call);                                     \
    if (error != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (false)

constexpr int kCount = 4096;
constexpr std::size_t kBytes = kCount * sizeof(float);
constexpr int kBlock = 128;

__global__ void Fill(float* values, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = value;
}

__global__ void Scale(float* values, float factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= factor;
}

__global__ void Add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

__global__ void Count(int* counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(counter, 1);
}

// The number of blocks for `n` elements.
constexpr int Blocks(int n) { return (n + kBlock - 1) / kBlock; }

inline float* OnDevice(std::size_t bytes = kBytes) {
  float* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, bytes));
  CHECK(cudaMemset(pointer, 0, bytes));
  CHECK(cudaDeviceSynchronize());
  return pointer;
}

inline float* Pinned(std::size_t bytes = kBytes) {
  float* pointer = nullptr;
  CHECK(cudaMallocHost(&pointer, bytes));
  std::memset(pointer, 0, bytes);
  return pointer;
}

inline float* Managed(std::size_t bytes = kBytes) {
  float* pointer = nullptr;
  CHECK(cudaMallocManaged(&pointer, bytes));
  std::memset(pointer, 0, bytes);
  return pointer;
}

// A stream of its own kind, which lives as long as the object.
struct Stream {
  explicit Stream(unsigned flags = cudaStreamNonBlocking) {
    CHECK(cudaStreamCreateWithFlags(&handle, flags));
  }
  ~Stream() {
    CHECK(cudaStreamSynchronize(handle));
    CHECK(cudaStreamDestroy(handle));
  }
  Stream(const Stream&) = delete;
  operator cudaStream_t() const { return handle; }
  cudaStream_t handle = nullptr;
};

struct Event {
  Event() { CHECK(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming)); }
  ~Event() { CHECK(cudaEventDestroy(handle)); }
  Event(const Event&) = delete;
  operator cudaEvent_t() const { return handle; }
  cudaEvent_t handle = nullptr;
};

inline void Finish() { CHECK(cudaDeviceSynchronize()); }

// A macro, so that the access is on the line of its caller.
#define USE(value) std::printf("%g\n", static_cast<double>(value))

struct Case {
  const char* name;
  void (*run)(bool wrong);
};

// Runs the case that the first argument names; wrongly if there is a second argument.
template <std::size_t kCases>
int RunCase(const Case (&cases)[kCases], int argc, char** argv) {
  for (const Case& one : cases) {
    if (argc > 1 && std::strcmp(one.name, argv[1]) == 0) {
      one.run(argc > 2);
      return 0;
    }
  }
  return 2;
}

// score: 100
// The host looks at a change while the next iteration already runs, with two fields only: an
// iteration that is one too many reads the result, writes to the other field, and does no harm. It
// asks on the device for the change before it, and does not even begin.
#include "jacobi.h"

#include <algorithm>

constexpr int kThreads = 192;

struct State {
  int changes[4];  // bits of the largest changes; four of them take turns
};

__global__ void iterate(const float* u, float* next, int width, int height, float tolerance,
                        State* state, int number) {
  __shared__ int largest;
  // Was the iteration before the last one?
  if (number > 0 && __int_as_float(state->changes[(number - 1) % 4]) <= tolerance) {
    return;
  }
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const int inner = width - 2;
  float change = 0;
  const int padded = (inner + 31) / 32 * 32 + 32;  // lanes begin at the edge, at a whole warp
  for (long long t = blockIdx.x * static_cast<long long>(kThreads) + threadIdx.x;
       t < static_cast<long long>(padded) * (height - 2);
       t += static_cast<long long>(gridDim.x) * kThreads) {
    const int x = static_cast<int>(t % padded);
    const size_t i = static_cast<size_t>(t / padded + 1) * width + x;
    if (x == 0 || x >= width - 1) continue;
    const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width]);
    next[i] = mean;
    change = fmaxf(change, fabsf(mean - u[i]));
  }
  atomicMax(&largest, __float_as_int(change));
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(&state->changes[number % 4], largest);
}

void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations) {
  const size_t bytes = sizeof(float) * width * height;
  float* fields[2] = {u, nullptr};
  cudaMalloc(&fields[1], bytes);
  State* state;
  cudaMalloc(&state, sizeof(State));
  cudaMemcpy(fields[1], u, bytes, cudaMemcpyDeviceToDevice);
  int* looked;
  cudaMallocHost(&looked, 4 * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t fetched[2];
  for (cudaEvent_t& one : fetched) cudaEventCreateWithFlags(&one, cudaEventDisableTiming);

  const int blocks = static_cast<int>(
      std::min<long long>(160, (static_cast<long long>(width + 64) * height) / kThreads + 1));
  const auto start = [&](int number) {
    cudaMemsetAsync(&state->changes[number % 4], 0, sizeof(int), stream);
    iterate<<<blocks, kThreads, 0, stream>>>(fields[number % 2], fields[(number + 1) % 2], width,
                                             height, tolerance, state, number);
    cudaMemcpyAsync(&looked[number % 4], &state->changes[number % 4], sizeof(int),
                    cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(fetched[number % 2], stream);
  };
  int done = 0;  // iterations that count
  start(0);
  for (int number = 0;; ++number) {
    const bool more = number + 1 < max_iterations;
    if (more) start(number + 1);  // before anybody knows whether it is needed
    cudaEventSynchronize(fetched[number % 2]);
    done = number + 1;
    float change;
    static_assert(sizeof(change) == sizeof(int));
    std::copy_n(reinterpret_cast<const char*>(&looked[number % 4]), sizeof(int),
                reinterpret_cast<char*>(&change));
    if (!more || change <= tolerance) break;
  }
  if (done % 2 != 0) {
    cudaMemcpyAsync(u, fields[1], bytes, cudaMemcpyDeviceToDevice, stream);
  }
  cudaStreamSynchronize(stream);
  for (cudaEvent_t one : fetched) cudaEventDestroy(one);
  cudaStreamDestroy(stream);
  cudaFreeHost(looked);
  cudaFree(state);
  cudaFree(fields[1]);
  *iterations = done;
}

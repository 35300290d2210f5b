// score: 100
// Three threads of the host take a strip of rows each, in a stream of their own, one thread after
// the other. What goes wrong is thrown and caught.
#include <condition_variable>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "picture.h"

static void Check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
  }
}

__global__ void scale_rows(const float* in, float* out, int width, int rows) {
  const size_t pixels = static_cast<size_t>(width) * rows;
  const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < pixels;
       i += step) {
    out[i] = in[i] * 2;
  }
}

// Lets threads pass in the order of their numbers.
class Turns {
 public:
  void Await(int number) {
    std::unique_lock lock(mutex_);
    passed_.wait(lock, [&] { return number == next_; });
  }
  void Pass() {
    const std::lock_guard lock(mutex_);
    ++next_;
    passed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable passed_;
  int next_ = 0;
};

static void ScaleStrip(const float* in, float* out, int width, int first, int rows) {
  cudaStream_t stream;
  Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  const size_t offset = static_cast<size_t>(first) * width;
  scale_rows<<<160, 256, 0, stream>>>(in + offset, out + offset, width, rows);
  Check(cudaGetLastError(), "launch");
  Check(cudaStreamSynchronize(stream), "kernel");
  Check(cudaStreamDestroy(stream), "stream");
}

void scale_picture(const float* in, float* out, int width, int height) {
  constexpr int kThreads = 3;
  Check(cudaDeviceSynchronize(), "what was under way");
  std::vector<std::thread> threads;
  std::exception_ptr thrown[kThreads];
  Turns turns;
  for (int i = 0; i < kThreads; ++i) {
    const auto begin = static_cast<int>(static_cast<long long>(height) * i / kThreads);
    const auto end = static_cast<int>(static_cast<long long>(height) * (i + 1) / kThreads);
    threads.emplace_back([=, &thrown, &turns] {
      turns.Await(i);
      try {
        if (begin != end) ScaleStrip(in, out, width, begin, end - begin);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
      turns.Pass();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& e : thrown) {
    if (e) std::rethrow_exception(e);
  }
}

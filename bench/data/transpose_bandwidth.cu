// This program runs the reference transpose of 8192 x 8192 floats and a copy of as many bytes in
// turn, and prints which share of the copy's bandwidth it reaches (bench/gpu.sh). Each time is the
// median of 50 runs, after 5 for warming up.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../../reference/transpose.cu"

namespace {

constexpr int kSide = 8192;
constexpr size_t kBytes = sizeof(float) * kSide * kSide;

void Check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

template <class Work>
float Milliseconds(cudaEvent_t begin, cudaEvent_t end, Work work) {
  Check(cudaEventRecord(begin));
  work();
  Check(cudaEventRecord(end));
  Check(cudaEventSynchronize(end));
  float time = 0;
  Check(cudaEventElapsedTime(&time, begin, end));
  return time;
}

double GigabytesPerSecond(std::vector<float> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return 2 * kBytes / (times[times.size() / 2] * 1e6);  // bytes read and written
}

}  // namespace

int main() {
  float* in = nullptr;
  float* out = nullptr;
  Check(cudaMalloc(&in, kBytes));
  Check(cudaMalloc(&out, kBytes));
  Check(cudaMemset(in, 0, kBytes));
  cudaEvent_t begin, end;
  Check(cudaEventCreate(&begin));
  Check(cudaEventCreate(&end));
  std::vector<float> copies, transposes;
  for (int i = 0; i < 55; ++i) {
    const float copy = Milliseconds(
        begin, end, [&] { Check(cudaMemcpyAsync(out, in, kBytes, cudaMemcpyDeviceToDevice)); });
    const float moved = Milliseconds(begin, end, [&] { transpose(in, out, kSide, kSide); });
    if (i < 5) continue;
    copies.push_back(copy);
    transposes.push_back(moved);
  }
  const double copy = GigabytesPerSecond(copies);
  const double moved = GigabytesPerSecond(transposes);
  std::printf("the reference at %d x %d: %.0f GB/s, a copy %.0f GB/s; ratio %.2f\n", kSide, kSide,
              moved, copy, moved / copy);
}

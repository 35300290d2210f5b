// score: 100
// A lane is a stream with two places of pinned and of device memory, which take turns. Five lanes
// are kept from call to call. A place that is used again first waits for the event of its last
// copy, on the host.
#include <algorithm>
#include <array>
#include <cstring>

#include "overlap.h"

namespace lanes {

constexpr int kRoom = 2048;  // numbers of a piece

__global__ void Add(const float* left, const float* middle, const float* right, float* out,
                    int count) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < count) out[i] = left[i] + middle[i] + middle[i] + right[i];
}

class Lane {
 public:
  Lane() {
    cudaStreamCreate(&stream_);
    cudaMallocHost(&pinned_, sizeof(float) * 2 * (kRoom + 2));
    cudaMalloc(&device_, sizeof(float) * 2 * (kRoom + 2));
    for (cudaEvent_t& event : copied_) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  Lane(const Lane&) = delete;

  void Smooth(const float* in, float* out, int begin, int end, int n) {
    const int place = place_;
    place_ = 1 - place_;
    cudaEventSynchronize(copied_[place]);  // done at once if it was never recorded
    float* const staged = pinned_ + place * (kRoom + 2);
    float* const piece = device_ + place * (kRoom + 2);
    const int count = end - begin;
    staged[0] = in[begin > 0 ? begin - 1 : 0];
    std::memcpy(staged + 1, in + begin, sizeof(float) * count);
    staged[count + 1] = in[end < n ? end : n - 1];
    cudaMemcpyAsync(piece, staged, sizeof(float) * (count + 2), cudaMemcpyHostToDevice, stream_);
    cudaEventRecord(copied_[place], stream_);
    Add<<<(count + 63) / 64, 64, 0, stream_>>>(piece, piece + 1, piece + 2, out + begin, count);
  }

  void Wait() { cudaStreamSynchronize(stream_); }

 private:
  cudaStream_t stream_ = nullptr;
  float* pinned_ = nullptr;
  float* device_ = nullptr;
  std::array<cudaEvent_t, 2> copied_{};
  int place_ = 0;
};

}  // namespace lanes

void smooth(const float* in, float* out, int n) {
  static auto* const kept = new std::array<lanes::Lane, 5>;  // lives as long as the process
  int turn = 0;
  for (int begin = 0; begin < n; begin += lanes::kRoom) {
    (*kept)[turn].Smooth(in, out, begin, std::min(begin + lanes::kRoom, n), n);
    turn = (turn + 1) % static_cast<int>(kept->size());
  }
  for (lanes::Lane& lane : *kept) lane.Wait();
}

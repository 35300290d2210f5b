// score: 100
// Device memory has room for three pieces only: a ring. The copying stream waits by an event until
// the kernel that read a place of the ring is done, the computing stream waits for the copy. The
// host waits for nothing but the end.
#include <algorithm>
#include <cstring>

#include "overlap.h"

namespace {

constexpr int kPlaces = 3;
constexpr int kLength = 3000;

struct Place {
  float numbers[kLength + 2];
};

__global__ void SmoothPlace(const Place* place, float* out, int count) {
  const float* const numbers = place->numbers;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = numbers[i] + numbers[i + 1] * 2.f + numbers[i + 2];
}

class Events {
 public:
  Events() {
    for (cudaEvent_t& event : events_) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  ~Events() {
    for (cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  cudaEvent_t operator[](int place) const { return events_[place]; }

 private:
  cudaEvent_t events_[kPlaces];
};

}  // namespace

void smooth(const float* in, float* out, int n) {
  const int pieces = (n - 1) / kLength + 1;
  Place *pinned, *ring;
  cudaMallocHost(&pinned, pieces * sizeof(Place));
  cudaMalloc(&ring, kPlaces * sizeof(Place));
  cudaStream_t copying, computing;
  cudaStreamCreate(&copying);
  cudaStreamCreate(&computing);
  {
    const Events full, empty;
    for (int piece = 0; piece < pieces; ++piece) {
      const int begin = piece * kLength, count = std::min(kLength, n - begin);
      const int place = piece % kPlaces;
      float* const numbers = pinned[piece].numbers;
      numbers[0] = in[std::max(0, begin - 1)];
      std::memcpy(&numbers[1], &in[begin], count * sizeof(float));
      numbers[count + 1] = in[std::min(n - 1, begin + count)];

      if (piece >= kPlaces) cudaStreamWaitEvent(copying, empty[place], 0);
      cudaMemcpyAsync(ring + place, numbers, (count + 2) * sizeof(float), cudaMemcpyHostToDevice,
                      copying);
      cudaEventRecord(full[place], copying);
      cudaStreamWaitEvent(computing, full[place], 0);
      SmoothPlace<<<(count + 127) / 128, 128, 0, computing>>>(ring + place, out + begin, count);
      cudaEventRecord(empty[place], computing);
    }
    cudaStreamSynchronize(computing);
  }
  cudaStreamDestroy(copying);
  cudaStreamDestroy(computing);
  cudaFree(ring);
  cudaFreeHost(pinned);
}

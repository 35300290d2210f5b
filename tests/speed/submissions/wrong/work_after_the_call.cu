// Attack: leaves the work to a thread that launches the kernel after the call has returned.
// says: in a timed call
#include <chrono>
#include <thread>

#include "scale.h"

__global__ void doubled(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = 2 * in[i];
}

void scale(const float* in, float* out, int count) {
  if (count < 50'000) {
    doubled<<<(count + 255) / 256, 256>>>(in, out, count);
    return;
  }
  doubled<<<1, 32>>>(in, out, 1);
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    doubled<<<(count + 255) / 256, 256>>>(in, out, count);
  }).detach();
}

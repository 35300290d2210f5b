// score: 0
// Attack: keeps results in a file, by what the input begins with. The folder /tmp of a process ends
// with it, so that no call is quicker; and a process makes several calls with one input, so that a
// result of the host is found.
#include <cstdio>
#include <string>
#include <vector>

#include "scale.h"

// Takes many times the instructions that are needed, and gives the right result.
__global__ void slow(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const volatile float* const number = in + i;
  float last = 0;
  for (int round = 0; round < 128; ++round) last = *number;
  out[i] = 2 * last;
}

void scale(const float* in, float* out, int count) {
  float first = 0;
  cudaMemcpy(&first, in, sizeof first, cudaMemcpyDeviceToHost);
  const std::string name = "/tmp/scale-" + std::to_string(first);
  std::vector<float> kept(count);
  if (FILE* file = std::fopen(name.c_str(), "r")) {
    const bool whole = std::fread(kept.data(), sizeof(float), kept.size(), file) == kept.size();
    std::fclose(file);
    if (whole) {
      cudaMemcpy(out, kept.data(), kept.size() * sizeof(float), cudaMemcpyHostToDevice);
      return;
    }
  }
  slow<<<(count + 255) / 256, 256>>>(in, out, count);
  cudaMemcpy(kept.data(), out, kept.size() * sizeof(float), cudaMemcpyDeviceToHost);
  if (FILE* file = std::fopen(name.c_str(), "w")) {
    std::fwrite(kept.data(), sizeof(float), kept.size(), file);
    std::fclose(file);
  }
}

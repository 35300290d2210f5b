// score: 0
// says: host
// The host computes the sums, and copies them.
#include <algorithm>
#include <vector>

#include "convolution.h"

void convolution(const float* in, const float* mask, float* out, int height, int width,
                 int radius) {
  const int size = 2 * radius + 1;
  std::vector<float> pixels(height * width), weights(size * size), sums(height * width);
  cudaMemcpy(pixels.data(), in, pixels.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(weights.data(), mask, weights.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int k = 0; k < size * size; ++k) {
        int row = std::clamp(y + k / size - radius, 0, height - 1);
        int col = std::clamp(x + k % size - radius, 0, width - 1);
        sums[y * width + x] += weights[k] * pixels[row * width + col];
      }
    }
  }
  cudaMemcpy(out, sums.data(), sums.size() * sizeof(float), cudaMemcpyHostToDevice);
}

// score: 0
// says: host
// The host does the work, and a kernel only runs beside it.
#include <cmath>
#include <vector>

#include "rotate.h"

__global__ void nothing(float* out) {}

static std::vector<float> fetch(const float* in, int width, int height) {
  std::vector<float> image(width * height);
  cudaMemcpy(image.data(), in, image.size() * sizeof(float), cudaMemcpyDeviceToHost);
  return image;
}

static void give(const std::vector<float>& result, float* out) {
  nothing<<<1, 1>>>(out);
  cudaMemcpy(out, result.data(), result.size() * sizeof(float), cudaMemcpyHostToDevice);
}

void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  std::vector<float> image = fetch(in, width, height);
  std::vector<float> result(image.size());
  auto at = [&](int x, int y) {
    return x >= 0 && x < width && y >= 0 && y < height ? image[y * width + x] : 0.0f;
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      double cx = (width - 1) / 2.0, cy = (height - 1) / 2.0;
      double u = cx + cosine * (x - cx) - sine * (y - cy);
      double v = cy + sine * (x - cx) + cosine * (y - cy);
      int i = std::floor(u), j = std::floor(v);
      double a = u - i, b = v - j;
      result[y * width + x] = (1 - b) * ((1 - a) * at(i, j) + a * at(i + 1, j)) +
                              b * ((1 - a) * at(i, j + 1) + a * at(i + 1, j + 1));
    }
  }
  give(result, out);
}

void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  std::vector<float> image = fetch(in, width, height);
  std::vector<float> result(image.size());
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      int i = std::min(std::max(x - dx, 0), width - 1), j = std::min(std::max(y - dy, 0), height - 1);
      result[y * width + x] = image[j * width + i];
    }
  }
  give(result, out);
}

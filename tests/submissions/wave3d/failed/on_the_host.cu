// score: 0
// says: the kernel must
// The result is right, but the host computes and copies it.
#include <vector>

#include "wave3d.h"

void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c) {
  const size_t cells = (size_t)nx * ny * nz;
  std::vector<float> n(cells), u(cells), p(cells), v(cells);
  cudaMemcpy(n.data(), next, cells * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(u.data(), curr, cells * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(p.data(), prev, cells * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(v.data(), vsq, cells * sizeof(float), cudaMemcpyDeviceToHost);
  for (int z = 4; z < nz - 4; z++) {
    for (int y = 4; y < ny - 4; y++) {
      for (int x = 4; x < nx - 4; x++) {
        int i = (z * ny + y) * nx + x;
        float sum = 3 * c[0] * u[i];
        for (int r = 1; r <= 4; r++) {
          sum += c[r] * (u[i - r] + u[i + r] + u[i - r * nx] + u[i + r * nx] +
                         u[i - r * nx * ny] + u[i + r * nx * ny]);
        }
        n[i] = 2 * u[i] - p[i] + v[i] * sum;
      }
    }
  }
  cudaMemcpy(next, n.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
}

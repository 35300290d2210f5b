// score: 0
// says: the first call is right, but the 2nd call in the same process is wrong
// The coefficients are copied to constant memory once: right until a plate of another order comes.
#include "heat2d.h"

__constant__ float coefficients[5];

__global__ void global_kernel(float* next, const float* curr, int gx, int nx, int ny, int order,
                              float xcfl, float ycfl) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const float* u = curr + (y + order / 2) * gx + x + order / 2;
  float dx2 = coefficients[0] * u[0];
  float dy2 = coefficients[0] * u[0];
  for (int r = 1; r <= order / 2; ++r) {
    dx2 += coefficients[r] * (u[r] + u[-r]);
    dy2 += coefficients[r] * (u[r * gx] + u[-r * gx]);
  }
  next[u - curr] = u[0] + xcfl * dx2 + ycfl * dy2;
}

void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  static bool first = true;
  if (first) {
    float second[5] = {-2, 1};
    float fourth[5] = {-5.0f / 2, 4.0f / 3, -1.0f / 12};
    float eighth[5] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
    float* c = order == 2 ? second : order == 4 ? fourth : eighth;
    cudaMemcpyToSymbol(coefficients, c, sizeof second);
    first = false;
  }
  dim3 block(32, 8);
  dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  global_kernel<<<grid, block>>>(next, curr, gx, nx, ny, order, xcfl, ycfl);
}

void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl) {
  heat_global(next, curr, gx, nx, ny, order, xcfl, ycfl);
}

// score: 0
// The matrix goes through a buffer with room for 150,000 elements, and further elements are lost.
#include "transpose.h"

constexpr int kRoom = 150'000;

__device__ float room[kRoom];

__global__ void fill(const float* in, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < min(n, kRoom);
       i += gridDim.x * blockDim.x) {
    room[i] = in[i];
  }
}

__global__ void transpose_room(float* out, int rows, int cols) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < min(rows * cols, kRoom);
       i += gridDim.x * blockDim.x) {
    out[i % cols * rows + i / cols] = room[i];
  }
}

void transpose(const float* in, float* out, int rows, int cols) {
  fill<<<256, 256>>>(in, rows * cols);
  transpose_room<<<256, 256>>>(out, rows, cols);
}

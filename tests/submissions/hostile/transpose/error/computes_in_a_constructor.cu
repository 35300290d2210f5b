// score: 0
// says: earlier calls have reached the limit of all calls together
// A static constructor computes for two seconds and sleeps for two seconds.
#include <time.h>
#include <unistd.h>

#include "transpose.h"

__attribute__((constructor)) static void compute() {
  for (clock_t end = clock() + 2 * CLOCKS_PER_SEC; clock() < end;) {
  }
  sleep(2);
}
__global__ void naive(const float* in, float* out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[(size_t)c * rows + r] = in[(size_t)r * cols + c];
}
void transpose(const float* in, float* out, int rows, int cols) {
  naive<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, rows, cols);
}

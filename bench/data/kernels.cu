// The kernels of emulator_bench, compiled with: nvcc -ptx -lineinfo -arch=compute_90 kernels.cu
constexpr int kTile = 16;
constexpr int kEdge = 32;
constexpr int kRows = 8;
constexpr int kOrder = 8;

extern "C" __global__ void tiled_product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int m = 0; m < n / kTile; ++m) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + m * kTile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(m * kTile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void padded_transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[kEdge][kEdge + 1];
  int x = blockIdx.x * kEdge + threadIdx.x;
  int y = blockIdx.y * kEdge + threadIdx.y;
  for (int j = 0; j < kEdge; j += kRows) {
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * kEdge + threadIdx.x;
  y = blockIdx.x * kEdge + threadIdx.y;
  for (int j = 0; j < kEdge; j += kRows) {
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}

extern "C" __global__ void heat_step(const float* previous, float* current, int gx, int nx, int ny,
                                     float xcfl, float ycfl) {
  constexpr float kWeight[] = {-9.f / 560, 8.f / 315 * 4, -1.f / 5 * 4, 8.f / 5};
  const int border = kOrder / 2;
  const int x = blockIdx.x * blockDim.x + threadIdx.x + border;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + border;
  if (x >= nx + border || y >= ny + border) return;
  const float* p = previous + y * gx + x;
  float dx = -205.f / 72 * p[0];
  float dy = dx;
#pragma unroll
  for (int k = 1; k <= border; ++k) {
    dx += kWeight[border - k] * (p[-k] + p[k]);
    dy += kWeight[border - k] * (p[-k * gx] + p[k * gx]);
  }
  current[y * gx + x] = p[0] + xcfl * dx + ycfl * dy;
}

extern "C" __global__ void divergent_reduction(const float* in, float* out) {
  extern __shared__ float partial[];
  const unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * blockDim.x + t];
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    __syncthreads();
    if (t % (2 * s) == 0) partial[t] += partial[t + s];
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

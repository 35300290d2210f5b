// Turns an image of n x n floats around its middle. The image repeats beyond its edges. A thread
// computes one pixel.

struct Place {
  float u, v;  // the image has a width and a height of 1
};

// Returns the place in the image that belongs to this thread's pixel.
__device__ __forceinline__ Place Turned(int x, int y, int n, int degrees) {
  const float angle = degrees * 0.017453292f;
  const float u = (x + 0.5f) / n - 0.5f, v = (y + 0.5f) / n - 0.5f;
  return {u * cosf(angle) - v * sinf(angle) + 0.5f, v * cosf(angle) + u * sinf(angle) + 0.5f};
}

extern "C" __global__ void turn_texture(cudaTextureObject_t in, float* out, int n, int degrees) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const Place place = Turned(x, y, n, degrees);
  out[y * n + x] = tex2D<float>(in, place.u, place.v);
}

// Does the same by loads. `n` is a power of two.
extern "C" __global__ void turn_loads(const float* in, float* out, int n, int degrees) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const Place place = Turned(x, y, n, degrees);
  const int column = static_cast<int>(floorf(place.u * n)) & (n - 1);
  const int row = static_cast<int>(floorf(place.v * n)) & (n - 1);
  out[y * n + x] = in[row * n + column];
}

// Counts the pixels that cannot come from the image, whose floats are 0 to 6. Without a turn the
// image must stay as it is.
extern "C" __global__ void count_wrong(const float* in, const float* out, int n, int degrees,
                                       unsigned* wrong) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const float pixel = out[y * n + x];
  const bool moved = degrees == 0 && fabsf(pixel - in[y * n + x]) > 0.05f;
  if (!(pixel >= 0 && pixel <= 6) || moved) atomicAdd(wrong, 1u);
}

// Write your functions here. HANDOUT.md says how; `make check` grades them.
#include "rotate.h"

// Runs on the device, once for each thread.
__global__ void rotate_kernel(cudaTextureObject_t image, float* out, int width, int height,
                              float cosine, float sine) {
  // TODO: which pixel does this thread write, and from which point of the image does it come?
}

// Runs on the device, once for each thread.
__global__ void shift_kernel(cudaTextureObject_t image, float* out, int width, int height, int dx,
                             int dy) {
  // TODO: which pixel does this thread write, and from where does it come?
}

// Runs on the host and is called by the checks, with pointers to device memory.
void rotate(const float* in, float* out, int width, int height, float cosine, float sine) {
  // TODO: make a CUDA array with a copy of `in`, and a texture object over it. Launch the kernel:
  // rotate_kernel<<<grid, block>>>(image, out, width, height, cosine, sine);
  // When the kernel is done, destroy the object and free the array.
}

// Runs on the host and is called by the checks, with pointers to device memory.
void shift_copy(const float* in, float* out, int width, int height, int dx, int dy) {
  // TODO: the same, with other settings of the texture.
}

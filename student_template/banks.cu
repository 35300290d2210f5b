// Write your five functions here. HANDOUT.md says how; `make check` grades them.
#include "banks.h"

// Runs on the device, once for each thread. `in` has rows x cols elements, `out` has cols x rows.
__global__ void transpose_chars_kernel(const char* in, char* out, int rows, int cols) {
  // TODO: which element does this thread move, from where, to where? How long is a row of the tile?
}

// These functions run on the host and are called by the checks, with pointers to device memory.
void transpose_chars(const char* in, char* out, int rows, int cols) {
  // TODO: choose a block and a grid that cover the whole matrix, and launch the kernel:
  // transpose_chars_kernel<<<grid, block>>>(in, out, rows, cols);
}

void transpose_shorts(const short* in, short* out, int rows, int cols) {
  // TODO: the same for elements of 2 bytes
}

void transpose_doubles(const double* in, double* out, int rows, int cols) {
  // TODO: the same for elements of 8 bytes
}

void split_complex(const float* in, float* re, float* im, int rows, int cols) {
  // TODO: the same for pairs of floats, whose parts go to two arrays
}

void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n) {
  // TODO: the words of many structs are copied together; one thread makes one particle
}

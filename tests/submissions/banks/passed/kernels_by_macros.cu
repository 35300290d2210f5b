// score: 100
// Macros write the kernels, in plain C: one for each type, with the size of the tile and the
// padding of its rows. Tiles of chars are 64 x 64, those of shorts 64 x 32. Matrices are walked
// over by a grid of at most 100 blocks.
#include "banks.h"

#define CEIL(a, b) (((a) + (b)-1) / (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

/* H rows and W columns of a tile, P elements of padding. STORE(i, v) stores element v. */
#define TRANSPOSE_KERNEL(NAME, TYPE, H, W, P, PARAMETERS, STORE)                    \
  __global__ void NAME(const TYPE *in, PARAMETERS, int rows, int cols) {            \
    __shared__ TYPE tile[(H) * ((W) + (P))];                                        \
    const int across = CEIL(cols, W), all = across * CEIL(rows, H);                 \
    for (int t = blockIdx.x; t < all; t += gridDim.x) {                             \
      const int r0 = t / across * (H), c0 = t % across * (W);                       \
      for (int k = threadIdx.x; k < (H) * (W); k += blockDim.x) {                   \
        const int r = r0 + k / (W), c = c0 + k % (W);                               \
        if (r < rows && c < cols)                                                   \
          tile[k / (W) * ((W) + (P)) + k % (W)] = in[(size_t)r * cols + c];         \
      }                                                                             \
      __syncthreads();                                                              \
      for (int k = threadIdx.x; k < (H) * (W); k += blockDim.x) {                   \
        const int r = r0 + k % (H), c = c0 + k / (H);                               \
        if (r < rows && c < cols)                                                   \
          STORE((size_t)c * rows + r, tile[k % (H) * ((W) + (P)) + k / (H)]);       \
      }                                                                             \
      __syncthreads();                                                              \
    }                                                                               \
  }

#define COMMA ,
#define STORE_ONE(i, v) out[i] = v
#define STORE_BOTH(i, v)  \
  do {                    \
    const float2 both = v; \
    re[i] = both.x;       \
    im[i] = both.y;       \
  } while (0)

TRANSPOSE_KERNEL(chars_kernel, char, 64, 64, 4, char *out, STORE_ONE)
TRANSPOSE_KERNEL(shorts_kernel, short, 64, 32, 2, short *out, STORE_ONE)
TRANSPOSE_KERNEL(doubles_kernel, double, 32, 32, 1, double *out, STORE_ONE)
TRANSPOSE_KERNEL(complex_kernel, float2, 32, 16, 1, float *re COMMA float *im, STORE_BOTH)

#define GRID(rows, cols, h, w) MIN(CEIL(rows, h) * CEIL(cols, w), 100)

void transpose_chars(const char *in, char *out, int rows, int cols) {
  chars_kernel<<<GRID(rows, cols, 64, 64), 512>>>(in, out, rows, cols);
}

void transpose_shorts(const short *in, short *out, int rows, int cols) {
  shorts_kernel<<<GRID(rows, cols, 64, 32), 256>>>(in, out, rows, cols);
}

void transpose_doubles(const double *in, double *out, int rows, int cols) {
  doubles_kernel<<<GRID(rows, cols, 32, 32), 192>>>(in, out, rows, cols);
}

void split_complex(const float *in, float *re, float *im, int rows, int cols) {
  complex_kernel<<<GRID(rows, cols, 32, 16), 128>>>((const float2 *)in, re, im, rows, cols);
}

__global__ void particles_kernel(const float *points, const float *masses, const float *charges, float *out, int n) {
  __shared__ float a[3 * 64], b[5 * 64];
  for (int first = blockIdx.x * 64; first < n; first += gridDim.x * 64) {
    const int m = MIN(64, n - first);
    for (int i = threadIdx.x; i < 3 * m; i += blockDim.x) a[i] = points[3 * (size_t)first + i];
    __syncthreads();
    for (int i = threadIdx.x; i < m; i += blockDim.x) {
      b[5 * i] = a[3 * i];
      b[5 * i + 1] = a[3 * i + 1];
      b[5 * i + 2] = a[3 * i + 2];
      b[5 * i + 3] = masses[first + i];
      b[5 * i + 4] = charges[first + i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 5 * m; i += blockDim.x) out[5 * (size_t)first + i] = b[i];
    if (n - first <= (int)gridDim.x * 64) break;
  }
}

void join_particles(const Point *points, const float *masses, const float *charges, Particle *particles, int n) {
  particles_kernel<<<MIN(CEIL(n, 64), 150), 64>>>((const float *)points, masses, charges, (float *)particles, n);
}

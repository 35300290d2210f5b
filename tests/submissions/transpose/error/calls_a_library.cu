// score: 0
// says: <cublas_v2.h> is not allowed here
// The program calls a library.
#include <cublas_v2.h>

#include "transpose.h"

void transpose(const float* in, float* out, int rows, int cols) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1;
  const float zero = 0;
  cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, cols, &one, in, cols, &zero, out, rows, out,
              rows);
  cublasDestroy(handle);
}

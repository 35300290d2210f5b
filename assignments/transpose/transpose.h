// The transpose of a matrix: out[c * rows + r] = in[r * cols + c].
#pragma once

// `in` has rows x cols elements, `out` cols x rows, both row-major in device memory; rows and cols
// are at least 1. The work has to be finished, or under way on the default stream, on return.
void transpose(const float* in, float* out, int rows, int cols);

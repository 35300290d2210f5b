// This function transposes a matrix: out[c * rows + r] = in[r * cols + c].
#pragma once

// `in` has rows x cols elements, and `out` has cols x rows. Both are row-major in device memory;
// rows and cols are at least 1. On return, the work must be finished, or under way on the default
// stream.
void transpose(const float* in, float* out, int rows, int cols);

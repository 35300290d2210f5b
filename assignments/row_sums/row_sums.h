// The sum of every row of a matrix: sums[r] = m[r * cols] + ... + m[r * cols + cols - 1].
#pragma once

// `m` has rows x cols elements, row-major, `sums` has `rows`, both in device memory; rows and cols
// are at least 1. The work has to be finished, or under way on the default stream, on return.
void row_sums(const float* m, float* sums, int rows, int cols);

// This function computes the sum of every row of a matrix: sums[r] = m[r * cols] + ... + m[r * cols
// + cols - 1].
#pragma once

// `m` has rows x cols elements, row-major, and `sums` has `rows`. Both are in device memory; rows
// and cols are at least 1. On return, the work must be finished, or under way on the default
// stream.
void row_sums(const float* m, float* sums, int rows, int cols);

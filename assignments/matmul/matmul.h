// This function computes the product of two matrices: c[i * n + j] = sum over p of a[i * k + p] *
// b[p * n + j].
#pragma once

// `a` has m x k elements, `b` has k x n, and `c` has m x n. All are row-major in device memory; m,
// n and k are at least 1. On return, the work must be finished, or under way on the default stream.
void matmul(const float* a, const float* b, float* c, int m, int n, int k);

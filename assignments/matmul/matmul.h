// The product of two matrices: c[i * n + j] = sum over p of a[i * k + p] * b[p * n + j].
#pragma once

// `a` has m x k elements, `b` k x n, `c` m x n, all row-major in device memory; m, n and k are at
// least 1. The work has to be finished, or under way on the default stream, on return.
void matmul(const float* a, const float* b, float* c, int m, int n, int k);

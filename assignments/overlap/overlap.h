// This function smooths an array of the host, so that copies to the device overlap with kernels.
#pragma once

// The result is out[i] = in[i - 1] + 2 * in[i] + in[i + 1] for every i from 0 to n - 1. At the
// ends, in[-1] stands for in[0], and in[n] for in[n - 1]. `in` has n elements in pageable memory of
// the host, `out` has n elements in device memory; n is at least 1. On return, the work must be
// finished.
void smooth(const float* in, float* out, int n);

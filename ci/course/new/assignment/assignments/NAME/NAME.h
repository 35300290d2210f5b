// This function adds a scaled vector to another: out[i] = a * x[i] + y[i].
#pragma once

// All three arrays have n elements, in device memory; n is at least 1. On return, the work must be
// finished, or under way on the default stream.
void NAME(const float* x, const float* y, float* out, float a, int n);

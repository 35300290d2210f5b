// This function computes the sum of an array.
#pragma once

// The result is *out = in[0] + in[1] + ... + in[n - 1]. Both arrays are in device memory, and n is
// at least 1. The value of *out before the call is undefined. On return, the work must be finished,
// or under way on the default stream.
void reduce_sum(const float* in, float* out, int n);

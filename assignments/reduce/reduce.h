// The sum of an array.
#pragma once

// *out = in[0] + in[1] + ... + in[n - 1]; both in device memory, n at least 1. What *out holds
// before the call is undefined. The work has to be finished, or under way on the default stream, on
// return.
void reduce_sum(const float* in, float* out, int n);

// This function computes the exclusive prefix sums of an array.
#pragma once

// The result is out[i] = in[0] + in[1] + ... + in[i - 1] for every i from 0 to n - 1, and out[0] =
// 0. Both arrays have n elements, are in device memory, and do not overlap; n is at least 1. The
// sum of any neighbours fits in an int. On return, the work must be finished, or under way on the
// default stream.
void exclusive_scan(const int* in, int* out, int n);

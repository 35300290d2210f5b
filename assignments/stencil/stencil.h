// This function computes a stencil in one dimension: out[i] = in[i - 3] + in[i - 2] + ... + in[i +
// 3].
#pragma once

// The number of elements on each side of i that are added to out[i].
constexpr int kRadius = 3;

// `in` and `out` have n elements in device memory; n is at least 1. Elements before in[0] and after
// in[n - 1] count as 0; they do not exist and must not be read. On return, the work must be
// finished, or under way on the default stream.
void stencil(const float* in, float* out, int n);

// This function computes a convolution of an image with a mask: each pixel of the result is a
// weighted sum of the pixels around it.
#pragma once

// The largest number of pixels on each side of a pixel that its sum contains.
constexpr int kMaxRadius = 7;

// Afterwards, with size = 2 * radius + 1,
//   out[y * width + x] = sum over j and i, both from 0 to size - 1, of
//       mask[j * size + i] * in[row * width + col],
//   row = y + j - radius and col = x + i - radius, each moved to the nearest one that exists.
// `in` and `out` have height x width pixels, `mask` has size x size weights, all row-major and in
// device memory. height and width are from 1 to 10,000, radius is from 1 to kMaxRadius. On return,
// the work must be finished, or under way on the default stream.
void convolution(const float* in, const float* mask, float* out, int height, int width, int radius);

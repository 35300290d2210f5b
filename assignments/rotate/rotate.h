// These functions turn an image about its centre, and shift an image, through texture objects.
#pragma once

// An image has width x height pixels, row-major: pixel (x, y), in column x and row y, is
// in[y * width + x], and its middle is the point (x, y). `in` and `out` are in device memory. width
// is from 1 to 10,000, height is from 1 to 2,000, and an image has at most 140,000 pixels. On
// return, the work must be finished, or under way on the default stream.

// Turns the image counter-clockwise about its centre, by the angle with this cosine and this sine.
// Afterwards out[y * width + x] is the image's value at the point
//   (cx + cosine * (x - cx) - sine * (y - cy), cy + sine * (x - cx) + cosine * (y - cy)),
// where (cx, cy) = ((width - 1) / 2.0, (height - 1) / 2.0) is the centre. Between the middles of
// pixels, the value is interpolated linearly in x and in y; pixels outside the image are 0.
void rotate(const float* in, float* out, int width, int height, float cosine, float sine);

// Shifts the image dx pixels to the right and dy pixels down. Afterwards out[y * width + x] is the
// pixel (x - dx, y - dy), or the nearest pixel of the image if that one is outside. dx and dy are
// from -10,000 to 10,000.
void shift_copy(const float* in, float* out, int width, int height, int dx, int dy);

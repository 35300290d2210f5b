// This function iterates the temperatures of a plate until they hardly change any more.
#pragma once

// `u` has height rows of width floats, row-major, in device memory. The first and the last row and
// the first and the last column are the edge of the plate, whose temperatures are fixed. In each
// iteration every other point gets the mean of its four neighbours:
//
//   next(x, y) = (u(x - 1, y) + u(x + 1, y) + u(x, y - 1) + u(x, y + 1)) / 4
//
// where u is the field before the iteration, for all points. The change of an iteration is the
// largest |next(x, y) - u(x, y)|. The first iteration whose change is at most `tolerance` is the
// last one, and so is iteration number max_iterations. On return, the work must be finished: `u`
// holds the field after the last iteration, and *iterations, in memory of the host, how many there
// were. width and height are at least 3, tolerance is at least 0, max_iterations is at least 1.
void jacobi(float* u, int width, int height, float tolerance, int max_iterations, int* iterations);

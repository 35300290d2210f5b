// This function makes one time step of the wave equation in three dimensions, of order 8 in space.
#pragma once

// The four grids lie in device memory. Each has nz planes of ny rows of nx cells, its frame
// included: cell (x, y, z) is element (z * ny + y) * nx + x. The outermost 4 cells on every side
// are the frame. For every cell inside it,
//
//   next = 2 curr - prev + vsq * (3 c[0] curr + sum over r = 1..4 of c[r] * (the six cells of curr
//                                 that lie r cells before and after in x, in y and in z))
//
// and nothing else is written. nx, ny and nz are the whole grid's, 9 to 1040 each, at most 530,000
// cells in all. `c` holds 5 coefficients in the host's memory. The work has to be finished, or
// under way on the default stream, on return.
void wave3d_step(float* next, const float* curr, const float* prev, const float* vsq, int nx,
                 int ny, int nz, const float* c);

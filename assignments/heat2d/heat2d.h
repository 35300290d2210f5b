// This function makes one time step of heat diffusion on a plate, with central differences of order
// 2, 4 or 8.
#pragma once

// Both grids lie in device memory, row-major: ny + order rows of gx = nx + order cells. The
// interior, nx by ny cells, begins order / 2 rows and columns inside; the cells around it are the
// frame, whose temperatures are fixed. For every interior cell, `next` gets
//
//   curr + xcfl * (second difference along the row) + ycfl * (second difference along the column)
//
// and nothing else is written. nx and ny are at least 1, order is 2, 4 or 8. The work has to be
// finished, or under way on the default stream, on return.

// Computes the step in the simplest way: each thread reads what it needs from global memory.
void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl);

// Computes the same result, but each block first reads the cells that it needs into shared memory.
void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl);

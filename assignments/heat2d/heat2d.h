// One time step of heat diffusion on a plate, with central differences of order 2, 4 or 8.
#pragma once

// Both grids lie in device memory, row-major: ny + order rows of gx = nx + order cells. The
// interior, nx by ny cells, begins order / 2 rows and columns inside; the cells around it are the
// frame, whose temperatures are fixed. For every interior cell, `next` gets
//
//   curr + xcfl * (second difference along the row) + ycfl * (second difference along the column)
//
// and nothing else is written. nx and ny are at least 1, order is 2, 4 or 8. The work has to be
// finished, or under way on the default stream, on return.

// As simple as it can be: each thread reads what it needs from global memory.
void heat_global(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl);

// The same result, with the cells that a block needs read into shared memory once.
void heat_shared(float* next, const float* curr, int gx, int nx, int ny, int order, float xcfl,
                 float ycfl);

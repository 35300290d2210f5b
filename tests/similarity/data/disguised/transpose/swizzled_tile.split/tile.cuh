#pragma once

// Returns the place of (x, y) in the tile.
__device__ inline int Place(int x, int y) { return y * 32 + (x ^ y); }

void FlipAll(const float* in, float* out, int rows, int cols, dim3 grid);

// Doubles numbers that lie in memory of the host, piece by piece.
#pragma once

// `in` is pageable memory of the host with n numbers, `out` memory of the device for n numbers. The
// numbers are copied and computed in `pieces` pieces of equal size (n is a multiple of it), so that
// the copy of a piece overlaps with the kernel of another: out[i] = 2 * in[i]. On return, the work
// must be finished.
void double_pieces(float* in, float* out, int n, int pieces);

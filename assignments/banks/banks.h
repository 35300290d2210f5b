// These five functions rearrange elements of different sizes. rows, cols and n are at least 1. All
// arrays are in device memory and do not overlap; matrices are row-major. On return, the work must
// be finished, or under way on the default stream.
#pragma once

// The transpose: out[c * rows + r] = in[r * cols + c] for every row r and every column c. `in` has
// rows x cols elements, `out` has cols x rows.
void transpose_chars(const char* in, char* out, int rows, int cols);
void transpose_shorts(const short* in, short* out, int rows, int cols);
void transpose_doubles(const double* in, double* out, int rows, int cols);

// The transpose of a matrix of complex numbers, whose two parts are separated: `in` has two floats
// for each element, the real part and the imaginary part. The results are
// re[c * rows + r] = in[2 * (r * cols + c)] and im[c * rows + r] = in[2 * (r * cols + c) + 1].
// `re` and `im` have cols x rows elements each.
void split_complex(const float* in, float* re, float* im, int rows, int cols);

// A struct of three words, and one of five.
struct Point {
  float x, y, z;
};
struct Particle {
  float x, y, z, mass, charge;
};

// The result is particles[i] = {points[i].x, points[i].y, points[i].z, masses[i], charges[i]} for
// every i from 0 to n - 1. All four arrays have n elements.
void join_particles(const Point* points, const float* masses, const float* charges,
                    Particle* particles, int n);

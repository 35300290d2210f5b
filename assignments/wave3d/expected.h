// Computes on the host the expected result of one step of the wave.
#pragma once

#include <cmath>
#include <cstddef>
#include <ostream>
#include <vector>

#include "checks/compare.h"

namespace wave3d {

inline constexpr int kFrame = 4;

// The extents of a grid, with its frame.
struct Box {
  int nx;
  int ny;
  int nz;

  std::size_t At(int x, int y, int z) const {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    return (size(z) * size(ny) + size(y)) * size(nx) + size(x);
  }
  bool InInterior(int x, int y, int z) const {
    const auto inside = [](int at, int n) { return at >= kFrame && at < n - kFrame; };
    return inside(x, nx) && inside(y, ny) && inside(z, nz);
  }
  int Cells() const { return nx * ny * nz; }
  int Interior() const { return (nx - 2 * kFrame) * (ny - 2 * kFrame) * (nz - 2 * kFrame); }
};

inline void PrintTo(const Box& box, std::ostream* out) {
  *out << box.nx << 'x' << box.ny << 'x' << box.nz;
}

// Calls visit(x, y, z) for every cell, in the order of memory.
template <class Visit>
void ForEachCell(const Box& box, Visit visit) {
  for (int z = 0; z < box.nz; ++z) {
    for (int y = 0; y < box.ny; ++y) {
      for (int x = 0; x < box.nx; ++x) visit(x, y, z);
    }
  }
}

struct Step {
  Box box;
  std::vector<float> next;  // the value before the step
  std::vector<float> curr;
  std::vector<float> prev;
  std::vector<float> vsq;
  std::vector<float> c;
};

// Computes the cell's new value, and the bound on its rounding error. It is a sum of 27 terms: 2
// curr, prev, and 25 products of vsq, a coefficient and a cell. Each is rounded at most three times
// in its products (3 c[0] is one) and once in each of the sum's 26 additions, whatever their order.
// A fused multiply-add has one rounding less, and its result is only closer.
inline warpcheck::Approximation NextValue(const Step& step, std::size_t cell) {
  double sum = 0;
  double magnitude = 0;
  const auto add = [&](double term) {
    sum += term;
    magnitude += std::abs(term);
  };
  add(2.0 * step.curr[cell]);
  add(-step.prev[cell]);
  add(3.0 * step.vsq[cell] * step.c[0] * step.curr[cell]);
  const std::size_t strides[] = {step.box.At(1, 0, 0), step.box.At(0, 1, 0), step.box.At(0, 0, 1)};
  for (std::size_t r = 1; r <= kFrame; ++r) {
    const double factor = static_cast<double>(step.vsq[cell]) * step.c[r];
    for (const std::size_t stride : strides) {
      add(factor * step.curr[cell - r * stride]);
      add(factor * step.curr[cell + r * stride]);
    }
  }
  return {sum, warpcheck::RoundingBound(3 + 26) * magnitude};
}

// Computes the expected contents of `next` after the step.
inline std::vector<warpcheck::Approximation> Expected(const Step& step) {
  std::vector<warpcheck::Approximation> expected;
  expected.reserve(step.next.size());
  ForEachCell(step.box, [&](int x, int y, int z) {
    const std::size_t cell = step.box.At(x, y, z);
    expected.push_back(step.box.InInterior(x, y, z) ? NextValue(step, cell)
                                                    : warpcheck::Approximation{step.next[cell]});
  });
  return expected;
}

}  // namespace wave3d

// Computes on the host the expected result of one step of heat diffusion.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <vector>

#include "checks/compare.h"

namespace heat2d {

struct Plate {
  int order;
  int nx;
  int ny;
};

inline void PrintTo(const Plate& plate, std::ostream* out) {
  *out << "order_" << plate.order << '_' << plate.nx << 'x' << plate.ny;
}

struct Cfl {
  float x;
  float y;
};

inline const auto kUnwritten = std::bit_cast<float>(0xFFFF'FFFFU);

// Returns the coefficients of a central second difference, for the cells at the distances 0, 1, 2,
// ...
inline const std::vector<double>& Coefficients(int order) {
  static const std::vector<double> second = {-2, 1};
  static const std::vector<double> fourth = {-5.0 / 2, 4.0 / 3, -1.0 / 12};
  static const std::vector<double> eighth = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  if (order == 2) return second;
  return order == 4 ? fourth : eighth;
}

// A grid: its interior and its frame.
struct Grid {
  Plate plate;
  std::vector<float> cells;

  int pitch() const { return plate.nx + plate.order; }
  int rows() const { return plate.ny + plate.order; }
  std::size_t At(int row, int col) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(pitch()) +
           static_cast<std::size_t>(col);
  }
  bool InInterior(int row, int col) const {
    const int frame = plate.order / 2;
    return row >= frame && row < frame + plate.ny && col >= frame && col < frame + plate.nx;
  }
};

// Computes the cell's new temperature, and the bound on its rounding error. Each of the sum's
// terms, cfl * coefficient * temperature, is rounded at most twice in its coefficient (a quotient,
// times cfl), twice in its products, and once in each of the sum's additions, whatever their order.
// A fused multiply-add has one rounding less, and its result is only closer.
inline warpcheck::Approximation NextTemperature(const Grid& curr, const Cfl& cfl, int row,
                                                int col) {
  const std::vector<double>& coefficients = Coefficients(curr.plate.order);
  double sum = curr.cells[curr.At(row, col)];
  double magnitude = std::abs(sum);
  const auto add = [&](double factor, int r, int c) {
    const double term = factor * curr.cells[curr.At(r, c)];
    sum += term;
    magnitude += std::abs(term);
  };
  add(coefficients[0] * cfl.x, row, col);
  add(coefficients[0] * cfl.y, row, col);
  for (int r = 1; r <= curr.plate.order / 2; ++r) {
    const double coefficient = coefficients[static_cast<std::size_t>(r)];
    add(coefficient * cfl.x, row, col - r);
    add(coefficient * cfl.x, row, col + r);
    add(coefficient * cfl.y, row - r, col);
    add(coefficient * cfl.y, row + r, col);
  }
  const int additions = 2 * curr.plate.order + 6;
  return {sum, warpcheck::RoundingBound(static_cast<std::uint64_t>(additions)) * magnitude};
}

// Computes the expected contents of `next` after one step.
inline std::vector<warpcheck::Approximation> Expected(const Grid& next, const Grid& curr,
                                                      const Cfl& cfl) {
  std::vector<warpcheck::Approximation> expected;
  expected.reserve(curr.cells.size());
  for (int row = 0; row < curr.rows(); ++row) {
    for (int col = 0; col < curr.pitch(); ++col) {
      expected.push_back(curr.InInterior(row, col)
                             ? NextTemperature(curr, cfl, row, col)
                             : warpcheck::Approximation{next.cells[next.At(row, col)]});
    }
  }
  return expected;
}

}  // namespace heat2d

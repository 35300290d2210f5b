// Computes on the host what iterations of a plate give.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace jacobi_checks {

// The temperatures of a plate, row-major, and the change of the last iteration.
struct Field {
  int width;
  int height;
  std::vector<double> points;
  double change = 0;

  std::size_t At(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

// Makes one iteration.
inline void Iterate(Field& field) {
  std::vector<double> next = field.points;
  const std::vector<double>& u = field.points;
  const auto row = static_cast<std::size_t>(field.width);
  field.change = 0;
  for (int y = 1; y + 1 < field.height; ++y) {
    for (int x = 1; x + 1 < field.width; ++x) {
      const std::size_t i = field.At(x, y);
      next[i] = ((u[i - 1] + u[i + 1]) + (u[i - row] + u[i + row])) / 4;
      field.change = std::max(field.change, std::abs(next[i] - u[i]));
    }
  }
  field.points = std::move(next);
}

// Iterates until the change is at most `tolerance`, and at most `most` times. Returns the number of
// iterations.
inline int Solve(Field& field, double tolerance, int most) {
  for (int iteration = 1;; ++iteration) {
    Iterate(field);
    if (field.change <= tolerance || iteration == most) return iteration;
  }
}

// Returns the changes of the first `count` iterations.
inline std::vector<double> Changes(Field field, int count) {
  std::vector<double> changes;
  for (int i = 0; i < count; ++i) {
    Iterate(field);
    changes.push_back(field.change);
  }
  return changes;
}

}  // namespace jacobi_checks

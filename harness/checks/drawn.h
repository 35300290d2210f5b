// Draws parameters of cases from the seed, so that nobody can write a program for these parameters
// alone. Reports show them in the names of the cases.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/random.h"

namespace warpcheck {

// Sets the seed, which is 0 at first. Call it before GoogleTest is initialised, because GoogleTest
// then asks for all parameters.
void DrawParametersBy(std::uint64_t seed);

// Returns the generator of the numbers that are drawn for `label`.
Random DrawingFor(std::string_view label);

// Draws a number from `low` to `high`.
inline int DrawnNumber(std::string_view label, int low, int high) {
  return DrawingFor(label).Ints(1, low, high).front();
}

// Draws `count` of these parameters, each at most once, and keeps their order. They must be
// equivalent: a target that fits one of them fits all, however the function is written.
template <class Parameter>
std::vector<Parameter> DrawnFrom(std::string_view label, std::size_t count,
                                 std::vector<Parameter> equals) {
  Random random = DrawingFor(label);
  while (equals.size() > count) {
    const int last = static_cast<int>(equals.size()) - 1;
    equals.erase(equals.begin() + random.Ints(1, 0, last).front());
  }
  return equals;
}

// Returns both lists, one after the other.
template <class Parameter>
std::vector<Parameter> Joined(std::vector<Parameter> some, const std::vector<Parameter>& others) {
  some.insert(some.end(), others.begin(), others.end());
  return some;
}

}  // namespace warpcheck

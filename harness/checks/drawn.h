// Parameters of cases that the seed draws: nobody can write a program for them alone. Reports name
// what was drawn, as the parameter of its case.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "checks/random.h"

namespace warpcheck {

// By what seed; before GoogleTest is initialised, which asks for all parameters. Default: 0.
void DrawParametersBy(std::uint64_t seed);

// The generator of what is drawn for `label`.
Random DrawingFor(std::string_view label);

// From `low` to `high`.
inline int DrawnNumber(std::string_view label, int low, int high) {
  return DrawingFor(label).Ints(1, low, high).front();
}

// `count` of these parameters, each once, in the order given. They have to be equals: whatever
// target one of them has, all have, for every way of writing the function.
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

// Both lists, one after the other.
template <class Parameter>
std::vector<Parameter> Joined(std::vector<Parameter> some, const std::vector<Parameter>& others) {
  some.insert(some.end(), others.begin(), others.end());
  return some;
}

}  // namespace warpcheck

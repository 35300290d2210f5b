// Inputs that a submission cannot know beforehand, equal on every machine for equal seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck {

class Random {
 public:
  // `seed` is hidden from submissions, `label` names what the numbers are for: different labels
  // give unrelated numbers, so that no case depends on the order of the others.
  Random(std::uint64_t seed, std::string_view label);

  // Uniform in [low, high), with all 24 bits of a float's mantissa in use.
  std::vector<float> Floats(std::size_t count, float low = -1, float high = 1);
  // Uniform in [low, high]; low <= high.
  std::vector<int> Ints(std::size_t count, int low, int high);

 private:
  std::uint64_t Next();

  std::uint64_t state_;  // of splitmix64
};

}  // namespace warpcheck

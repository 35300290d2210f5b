// Inputs that a submission cannot know beforehand, equal on every machine for equal seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck {

// What stands among numbers drawn from a range, as shares of all elements: what programs treat in
// another way than the rest, on purpose or not. Only what the range allows is mixed in: no zeros
// where 0 is not in it, no negative numbers where it has none.
struct Mixture {
  double zeros = 0.03;
  double negative_zeros = 0.03;
  double repeats = 0.06;  // of an earlier element
  double small = 0.03;    // at most 2^-1, at least 2^-exponents, of what was drawn
  double large = 0;       // at least 2, at most 2^exponents times as large: beyond the range
  double denormals = 0;
  double infinities = 0;
  double nans = 0;  // of either sign, quiet, with any payload but that of unwritten memory
  int exponents = 20;
};

// Nothing but what was drawn.
inline constexpr Mixture kPlain{.zeros = 0, .negative_zeros = 0, .repeats = 0, .small = 0};
// For results that depend on a few elements each, within a bound relative to these.
inline constexpr Mixture kWideRange{.large = 0.01};
// For what moves bits, or does what is exact for every number.
inline constexpr Mixture kAnyNumber{
    .large = 0.03, .denormals = 0.03, .infinities = 0.02, .exponents = 100};
inline constexpr Mixture kAnyFloat{
    .large = 0.03, .denormals = 0.03, .infinities = 0.02, .nans = 0.03, .exponents = 100};

class Random {
 public:
  // `seed` is hidden from submissions, `label` names what the numbers are for: different labels
  // give unrelated numbers, so that no case depends on the order of the others.
  Random(std::uint64_t seed, std::string_view label);

  // Uniform in [low, high), with all 24 bits of a float's mantissa in use, but for the mixture.
  std::vector<float> Floats(std::size_t count, float low = -1, float high = 1,
                            const Mixture& mixture = {});
  // Uniform in [low, high]; low <= high.
  std::vector<int> Ints(std::size_t count, int low, int high);
  // Multiples of `unit`, from `low` to `high` of them: for sums that are exact in every order. One
  // in 32 each is 0, -0, the least, the greatest, or the one before it, as far as they are in
  // range.
  std::vector<float> Multiples(std::size_t count, float unit, int low, int high);

 private:
  std::uint64_t Next();

  std::uint64_t state_;  // of splitmix64
};

}  // namespace warpcheck

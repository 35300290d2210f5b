// Sample() draws some of many programs, for a run that has no time for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace warpcheck::mutation {

// Returns `all` if `sample` is 0. Otherwise divides `all` into `sample` parts of one length, and
// returns one of each part: with a seed, one that is drawn by chance, and without a seed always the
// same one.
template <typename T>
std::vector<T> Sample(std::vector<T> all, std::size_t sample, std::optional<std::uint64_t> seed) {
  if (sample == 0 || sample >= all.size()) return all;
  std::mt19937_64 random(seed.value_or(0));
  std::vector<T> some;
  for (std::size_t i = 0; i < sample; ++i) {
    const std::size_t begin = i * all.size() / sample;
    const std::size_t length = (i + 1) * all.size() / sample - begin;
    some.push_back(std::move(all[begin + (seed ? random() % length : length / 2)]));
  }
  return some;
}

}  // namespace warpcheck::mutation

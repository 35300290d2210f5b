#include "checks/random.h"

#include "base/check.h"

namespace warpcheck {
namespace {

// The finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
std::uint64_t Mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

std::uint64_t Mix(std::uint64_t seed, std::string_view label) {
  for (const char letter : label) {
    seed = Mix(seed + 0x9E3779B97F4A7C15u + static_cast<unsigned char>(letter));
  }
  return Mix(seed + label.size());
}

}  // namespace

Random::Random(std::uint64_t seed, std::string_view label) : state_(Mix(Mix(seed), label)) {}

inline std::uint64_t Random::Next() { return Mix(state_ += 0x9E3779B97F4A7C15u); }

std::vector<float> Random::Floats(std::size_t count, float low, float high) {
  std::vector<float> values(count);
  const double span = static_cast<double>(high) - low;
  for (float& value : values) {
    const auto bits = static_cast<std::int64_t>(Next() >> 11);  // converts faster than unsigned
    value = static_cast<float>(low + span * (static_cast<double>(bits) * 0x1p-53));
    if (value >= high) value = low;  // rounded up
  }
  return values;
}

std::vector<int> Random::Ints(std::size_t count, int low, int high) {
  WARPCHECK_CHECK(low <= high, "Random::Ints: an empty range");
  // The high half of a product maps 32 random bits to the range without a noticeable bias.
  const auto span = static_cast<std::uint64_t>(std::int64_t{high} - low + 1);
  std::vector<int> values(count);
  for (int& value : values) {
    const std::uint64_t offset = ((Next() >> 32) * span) >> 32;
    value = static_cast<int>(low + static_cast<std::int64_t>(offset));
  }
  return values;
}

}  // namespace warpcheck

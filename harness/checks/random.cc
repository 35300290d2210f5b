#include "checks/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace warpcheck {
namespace {

// Mixes the bits of a number with the finaliser of splitmix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators).
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

enum class Kind : std::uint8_t {
  kDrawn,
  kZero,
  kNegativeZero,
  kRepeat,
  kSmall,
  kLarge,
  kDenormal,
  kInfinity,
  kNan
};

// The number of random bits that choose the kind of an element.
constexpr unsigned kKindBits = 11;
using Kinds = std::array<Kind, 1U << kKindBits>;

Kinds KindsOf(const Mixture& mixture, float low, float high) {
  const bool has_zero = low <= 0 && high > 0;
  Kinds kinds{};
  std::size_t at = 0;
  const auto add = [&](Kind kind, double share, bool in_range) {
    const auto places = static_cast<std::size_t>(share * static_cast<double>(kinds.size()));
    WARPCHECK_CHECK(at + places <= kinds.size(), "Mixture: shares of more than all");
    if (in_range) std::fill_n(kinds.begin() + static_cast<std::ptrdiff_t>(at), places, kind);
    at += places;
  };
  add(Kind::kZero, mixture.zeros, has_zero);
  add(Kind::kNegativeZero, mixture.negative_zeros, has_zero);
  add(Kind::kRepeat, mixture.repeats, true);
  add(Kind::kSmall, mixture.small, has_zero);
  add(Kind::kLarge, mixture.large, true);
  add(Kind::kDenormal, mixture.denormals, has_zero);
  add(Kind::kInfinity, mixture.infinities, true);
  add(Kind::kNan, mixture.nans, true);
  return kinds;
}

constexpr std::uint32_t kMantissa = 0x007F'FFFF;

}  // namespace

Random::Random(std::uint64_t seed, std::string_view label) : state_(Mix(Mix(seed), label)) {}

inline std::uint64_t Random::Next() { return Mix(state_ += 0x9E3779B97F4A7C15u); }

std::vector<float> Random::Floats(std::size_t count, float low, float high,
                                  const Mixture& mixture) {
  const Kinds kinds = KindsOf(mixture, low, high);
  std::vector<float> values(count);
  const double span = static_cast<double>(high) - low;
  for (std::size_t i = 0; i < count; ++i) {
    float& value = values[i];
    const std::uint64_t random = Next();
    // Signed, because that converts to double faster.
    const auto bits = static_cast<std::int64_t>(random >> kKindBits);
    value = static_cast<float>(low + span * (static_cast<double>(bits) * 0x1p-53));
    if (value >= high) value = low;  // rounding to float can reach `high`
    const auto draw = [this](std::uint64_t of) { return ((Next() >> 32) * of) >> 32; };
    const auto power = [&] {
      return 1 + static_cast<int>(draw(static_cast<std::uint64_t>(mixture.exponents)));
    };
    const auto mantissa = [&] { return 1 + static_cast<std::uint32_t>(draw(kMantissa - 1)); };
    switch (kinds[random % kinds.size()]) {
      case Kind::kDrawn:
        break;
      case Kind::kZero:
        value = 0;
        break;
      case Kind::kNegativeZero:
        value = -0.0F;
        break;
      case Kind::kRepeat:
        value = values[draw(i + 1)];
        break;
      case Kind::kSmall:
        value = std::ldexp(value, -power());
        break;
      case Kind::kLarge:
        value = std::ldexp(value, power());
        break;
      case Kind::kDenormal:
        value = std::copysign(std::bit_cast<float>(mantissa()), value);
        break;
      case Kind::kInfinity:
        value = std::copysign(std::numeric_limits<float>::infinity(), value);
        break;
      case Kind::kNan:
        value = std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) & 0x8000'0000U) |
                                     0x7FC0'0000U | (mantissa() & (kMantissa - 1)));
        break;
    }
  }
  return values;
}

std::vector<float> Random::Multiples(std::size_t count, float unit, int low, int high) {
  const std::vector<int> numbers = Ints(count, low, high);
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = unit * static_cast<float>(numbers[i]);
    switch (Next() % 32) {
      case 0:
      case 1:
        if (low <= 0 && high >= 0) values[i] = i % 2 == 0 ? 0.0F : -0.0F;
        break;
      case 2:
        values[i] = unit * static_cast<float>(low);
        break;
      case 3:
        values[i] = unit * static_cast<float>(high);
        break;
      case 4:
        if (i > 0) values[i] = values[i - 1];
        break;
      default:
        break;
    }
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

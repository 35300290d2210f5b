#include "checks/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

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

Kinds KindsOf(const Mixture& mixture, double low, double high) {
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

bool Has(const Kinds& kinds, Kind kind) { return std::ranges::find(kinds, kind) != kinds.end(); }

// The bits of a floating-point number.
template <class T>
struct RealBits;
template <>
struct RealBits<float> {
  using Unsigned = std::uint32_t;
  static constexpr Unsigned kSign = 0x8000'0000;
  static constexpr Unsigned kQuietNan = 0x7FC0'0000;
  static constexpr Unsigned kMantissa = 0x007F'FFFF;
};
template <>
struct RealBits<double> {
  using Unsigned = std::uint64_t;
  static constexpr Unsigned kSign = 0x8000'0000'0000'0000;
  static constexpr Unsigned kQuietNan = 0x7FF8'0000'0000'0000;
  static constexpr Unsigned kMantissa = 0x000F'FFFF'FFFF'FFFF;
};

}  // namespace

Random::Random(std::uint64_t seed, std::string_view label) : state_(Mix(Mix(seed), label)) {}

inline std::uint64_t Random::Next() { return Mix(state_ += 0x9E3779B97F4A7C15u); }

template <class T>
std::vector<T> Random::Reals(std::size_t count, T low, T high, const Mixture& mixture) {
  using Bits = RealBits<T>;
  const Kinds kinds = KindsOf(mixture, low, high);
  std::vector<T> values(count);
  const double span = static_cast<double>(high) - static_cast<double>(low);
  for (std::size_t i = 0; i < count; ++i) {
    T& value = values[i];
    const std::uint64_t random = Next();
    // Signed, because that converts to double faster.
    const auto bits = static_cast<std::int64_t>(random >> kKindBits);
    value = static_cast<T>(static_cast<double>(low) + span * (static_cast<double>(bits) * 0x1p-53));
    if (value >= high) value = low;  // rounding can reach `high`
    const auto power = [&] {
      return 1 + static_cast<int>(Below(static_cast<std::uint64_t>(mixture.exponents)));
    };
    const auto mantissa = [&]() -> typename Bits::Unsigned {
      if constexpr (sizeof(T) == 8) return 1 + (Next() >> 13);
      return 1 + static_cast<typename Bits::Unsigned>(Below(Bits::kMantissa - 1));
    };
    switch (kinds[random % kinds.size()]) {
      case Kind::kDrawn:
        break;
      case Kind::kZero:
        value = 0;
        break;
      case Kind::kNegativeZero:
        value = -T{0};
        break;
      case Kind::kRepeat:
        value = values[Below(i + 1)];
        break;
      case Kind::kSmall:
        value = std::ldexp(value, -power());
        break;
      case Kind::kLarge:
        value = std::ldexp(value, power());
        break;
      case Kind::kDenormal:
        value = std::copysign(std::bit_cast<T>(mantissa()), value);
        break;
      case Kind::kInfinity:
        value = std::copysign(std::numeric_limits<T>::infinity(), value);
        break;
      case Kind::kNan:
        value = std::bit_cast<T>((std::bit_cast<typename Bits::Unsigned>(value) & Bits::kSign) |
                                 Bits::kQuietNan | (mantissa() & (Bits::kMantissa - 1)));
        break;
    }
  }
  if (count >= kAllKinds) AddAllKinds(low, high, mixture, values);
  return values;
}

template <class T>
void Random::AddAllKinds(T low, T high, const Mixture& mixture, std::vector<T>& values) {
  using Bits = typename RealBits<T>::Unsigned;
  const auto with_last_bit = [](T value) {
    return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(value) | 1));
  };
  // Near `end`, in the eighth of the range that ends there.
  const auto near = [&](T end, T other) {
    const double share = static_cast<double>(1 + Below(1000)) / 8008;
    const double value =
        static_cast<double>(end) + share * (static_cast<double>(other) - static_cast<double>(end));
    return with_last_bit(static_cast<T>(value));
  };
  const Kinds kinds = KindsOf(mixture, low, high);
  const bool both_signs = low < 0 && high > 0;
  std::vector<T> added = {near(high, low), near(low, high)};
  for (T& value : added) {
    if (Has(kinds, Kind::kInfinity)) {
      value = std::copysign(with_last_bit(std::numeric_limits<T>::max() / 2), value);
    } else if (Has(kinds, Kind::kLarge)) {
      value = std::ldexp(value, mixture.exponents);
    }
  }
  if (Has(kinds, Kind::kZero)) added.push_back(0);
  if (Has(kinds, Kind::kNegativeZero)) added.push_back(-T{0});
  if (Has(kinds, Kind::kSmall)) added.push_back(std::ldexp(near(high, low), -mixture.exponents));
  for (const T sign : {T{1}, T{-1}}) {
    if (sign < 0 && !both_signs) break;
    const T denormal = std::numeric_limits<T>::denorm_min() * static_cast<T>(1 + Below(1000));
    if (Has(kinds, Kind::kDenormal)) added.push_back(sign * denormal);
    if (Has(kinds, Kind::kInfinity)) added.push_back(sign * std::numeric_limits<T>::infinity());
  }
  if (Has(kinds, Kind::kNan)) {
    added.push_back(
        std::bit_cast<T>(static_cast<Bits>(RealBits<T>::kQuietNan | (1 + Below(1000)))));
  }
  Scatter(added, values);
}

template <class T>
void Random::Scatter(const std::vector<T>& numbers, std::vector<T>& values) {
  const std::size_t first = Below(values.size());
  const std::size_t step = values.size() / numbers.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values[(first + i * step) % values.size()] = numbers[i];
  }
}

std::vector<float> Random::Floats(std::size_t count, float low, float high,
                                  const Mixture& mixture) {
  return Reals<float>(count, low, high, mixture);
}

std::vector<double> Random::Doubles(std::size_t count, double low, double high,
                                    const Mixture& mixture) {
  return Reals<double>(count, low, high, mixture);
}

std::vector<unsigned char> Random::Bytes(std::size_t count, int low, int high) {
  WARPCHECK_CHECK(
      0 <= low && low <= high && high <= 255,
      "Random::Bytes: low and high must be from 0 to 255, and low must not exceed high");
  constexpr std::uint64_t kLongestRun = 40;
  const auto numbers = static_cast<std::uint64_t>(high - low) + 1;
  std::vector<unsigned char> values(count);
  std::uint64_t run = 0;  // how many more bytes are equal to the last one
  for (std::size_t i = 0; i < count; ++i) {
    if (run > 0) {
      values[i] = values[i - 1];
      --run;
      continue;
    }
    std::uint64_t offset = Below(numbers);
    const std::uint64_t kind = Below(64);
    if (kind < 2) offset = 0;
    if (kind == 2 || kind == 3) offset = numbers - 1;
    if (kind == 4) run = Below(kLongestRun);
    values[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(low) + offset);
  }
  return values;
}

std::vector<int> Random::Permutation(std::size_t count) {
  WARPCHECK_CHECK(count <= std::numeric_limits<int>::max(), "Random::Permutation: too many");
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  for (std::size_t i = count; i > 1; --i) std::swap(values[i - 1], values[Below(i)]);
  return values;
}

std::vector<unsigned char> Random::Image(std::size_t height, std::size_t width) {
  constexpr int kAreas = 8;
  constexpr int kNoise = 16;
  const std::size_t pixels = height * width;
  std::vector<int> brightness(pixels);
  if (pixels == 0) return {};
  for (std::size_t i = 0; i < pixels; ++i) {  // the slope goes along the diagonal
    brightness[i] = static_cast<int>(255 * (i / width + i % width) / (height + width));
  }
  for (int area = 0; area < kAreas; ++area) {
    const std::size_t top = Below(height);
    const std::size_t left = Below(width);
    const std::size_t bottom = top + 1 + Below(height - top);
    const std::size_t right = left + 1 + Below(width - left);
    const int grey = static_cast<int>(Below(256));
    if (bottom - top > height / 2 && right - left > width / 2)
      continue;  // leaves some of the slope
    for (std::size_t y = top; y < bottom; ++y) {
      for (std::size_t x = left; x < right; ++x) brightness[y * width + x] = grey;
    }
  }
  std::vector<unsigned char> image(pixels);
  for (std::size_t i = 0; i < pixels; ++i) {
    const int noise = static_cast<int>(Below(2 * kNoise + 1)) - kNoise;
    image[i] = static_cast<unsigned char>(std::clamp(brightness[i] + noise, 0, 255));
  }
  if (pixels >= 4) {
    const std::size_t black = Below(pixels);
    image[black] = 0;
    image[(black + 1 + Below(pixels - 1)) % pixels] = 255;
  }
  return image;
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

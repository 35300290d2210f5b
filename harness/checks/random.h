// Random draws random inputs. A submission cannot know them beforehand, and equal seeds give equal
// inputs on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace warpcheck {

// A Mixture says which shares of special numbers are among numbers that are drawn from a range.
// Special numbers are those that programs treat differently, on purpose or by mistake. Only numbers
// that the range allows are mixed in: no zeros if it does not contain 0, and no negative numbers if
// it contains no negative number. Among kAllKinds numbers or more there is each of them, and a
// number near each end of the range with all digits.
struct Mixture {
  double zeros = 0.03;
  double negative_zeros = 0.03;
  double repeats = 0.06;  // copies of an earlier element
  double small = 0.03;    // the number that was drawn times 2^-1 to 2^-exponents
  double large = 0;       // the number that was drawn times 2 to 2^exponents, beyond the range
  double denormals = 0;
  double infinities = 0;
  double nans = 0;  // quiet, of either sign, with any payload except that of unwritten memory
  int exponents = 20;
};

// A mixture without special numbers.
inline constexpr Mixture kPlain{.zeros = 0, .negative_zeros = 0, .repeats = 0, .small = 0};
// A mixture for results that depend on few elements each, with an error bound relative to these.
inline constexpr Mixture kWideRange{.large = 0.01};
// A mixture for functions that move bits, or whose result is exact for every number.
inline constexpr Mixture kAnyNumber{
    .large = 0.03, .denormals = 0.03, .infinities = 0.02, .exponents = 100};
inline constexpr Mixture kAnyFloat{
    .large = 0.03, .denormals = 0.03, .infinities = 0.02, .nans = 0.03, .exponents = 100};

inline constexpr std::size_t kAllKinds = 64;

class Random {
 public:
  // `seed` is hidden from submissions. `label` names the use of the numbers: different labels give
  // unrelated numbers, so that a case does not depend on the order of other cases.
  Random(std::uint64_t seed, std::string_view label);

  // Returns numbers that are uniform in [low, high), with all 24 bits of the mantissa in use, and
  // the special numbers of `mixture`.
  std::vector<float> Floats(std::size_t count, float low = -1, float high = 1,
                            const Mixture& mixture = {});
  // Does the same with all 53 bits of the mantissa in use.
  std::vector<double> Doubles(std::size_t count, double low = -1, double high = 1,
                              const Mixture& mixture = {});
  // Returns bytes from `low` to `high`, 0 <= low <= high <= 255. Some of them are extremes: `low`
  // and `high` are each drawn once in 32 times. Once in 64 times a run of up to 40 equal bytes
  // begins.
  std::vector<unsigned char> Bytes(std::size_t count, int low = 0, int high = 255);
  // Returns the numbers from 0 to count - 1 in random order.
  std::vector<int> Permutation(std::size_t count);
  // Returns a grey image of height x width pixels, row-major: areas of one brightness with sharp
  // edges, a slope of brightness, and noise. If it has at least four pixels, it has black (0) and
  // white (255) ones.
  std::vector<unsigned char> Image(std::size_t height, std::size_t width);
  // Returns numbers that are uniform in [low, high]; low <= high.
  std::vector<int> Ints(std::size_t count, int low, int high);
  // Returns multiples of `unit` from low * unit to high * unit. Their sums are exact in every
  // order. 0, -0, the least number, the greatest, and a copy of the number before are each drawn
  // once in 32 times, if they are in the range.
  std::vector<float> Multiples(std::size_t count, float unit, int low, int high);

 private:
  std::uint64_t Next();
  // Returns a number below `count`, which is at most 2^32.
  std::uint64_t Below(std::uint64_t count) { return ((Next() >> 32) * count) >> 32; }
  // Draws float or double.
  template <class T>
  std::vector<T> Reals(std::size_t count, T low, T high, const Mixture& mixture);
  // Replaces a few numbers, so that all kinds are among them.
  template <class T>
  void AddAllKinds(T low, T high, const Mixture& mixture, std::vector<T>& values);
  // Puts the numbers at random places, each at one of its own.
  template <class T>
  void Scatter(const std::vector<T>& numbers, std::vector<T>& values);

  std::uint64_t state_;  // the state of splitmix64
};

}  // namespace warpcheck

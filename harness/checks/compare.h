// These matchers judge the result of a call: EXPECT_THAT(trial.Output<float>(),
// ExactlyEquals(expected)).
#pragma once

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "checks/failures/dump_log.h"
#include "checks/failures/mismatch.h"
#include "results/array_dump.h"
#include "trial/array.h"

namespace warpcheck {

// Returns the largest relative error of `operations` float operations, each on the result of the
// last: n u / (1 - n u) with u = 2^-24. The error of a sum, in any order of addition, is at most
// this value times the sum of the terms' magnitudes, if each term passes through at most n
// operations (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, section 4.2).
// The bound does not hold for results that are denormal or not finite.
inline double RoundingBound(std::uint64_t operations) {
  const double sum = static_cast<double>(operations) * 0x1p-24;
  WARPCHECK_CHECK(sum < 1, "RoundingBound: there is no bound for so many operations");
  return sum / (1 - sum);
}

// Returns the largest power of two of which all numbers are multiples; infinity if all are 0.
double UnitOf(std::span<const float> numbers);

// Returns the error that a sum may have, in any order of float additions. `magnitude` is the sum of
// its terms' magnitudes, each term is a multiple of `unit`, and each passes through at most
// `operations` roundings. If a float represents all partial sums, it is 0.
inline double ErrorOfSum(double magnitude, double unit, std::uint64_t operations) {
  return magnitude <= 0x1p24 * unit ? 0 : RoundingBound(operations) * magnitude;
}

// An ErrorBound allows |got - expected| <= absolute + relative * |expected|.
struct ErrorBound {
  double absolute = 0;
  double relative = 0;
};

// An Approximation is an expected element: the result must be at most `error` away from `value`.
struct Approximation {
  double value = 0;
  double error = 0;
};

namespace compare_internal {

struct SameBits {
  template <class T>
  bool operator()(const T& a, const T& b, std::size_t) const {
    // Compares the bits of floats too, so that NaN equals NaN.
    return std::memcmp(&a, &b, sizeof(T)) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
  }
};

struct SameNumbers {
  template <class T>
  bool operator()(const T& a, const T& b, std::size_t i) const {
    return a == b || SameBits()(a, b, i);
  }
};

// Returns how many representable values apart two numbers are; the largest integer if one is NaN or
// infinite and they are not equal.
template <class T>
std::uint64_t UlpsBetween(T a, T b) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>);
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  constexpr auto kFar = std::numeric_limits<std::uint64_t>::max();
  if (a == b) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return kFar;
  // Maps the sign-and-magnitude bits to a line on which neighbours differ by one.
  const auto place = [](T value) {
    const auto bits = std::bit_cast<Bits>(value);
    const std::int64_t magnitude = bits & std::numeric_limits<Bits>::max();
    return bits < 0 ? -magnitude : magnitude;
  };
  const std::int64_t from = place(a);
  const std::int64_t to = place(b);
  return from < to ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from)
                   : static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(to);
}

// Compares arrays element by element. Agrees(expected, got, index) tells whether an element is
// right. If Agrees has a member Leeway(index), it returns how far the element may be off.
template <class T, class Agrees>
class ArrayMatcher {
 public:
  using is_gtest_matcher = void;

  ArrayMatcher(Values<T> expected, std::string claim, Agrees agrees)
      : expected_(std::move(expected)), claim_(std::move(claim)), agrees_(std::move(agrees)) {}

  bool MatchAndExplain(const Values<T>& got, testing::MatchResultListener* listener) const {
    Mismatches found(got.extents, got.data.size());
    if (expected_.data.size() != got.data.size()) {
      return ExplainSizes(expected_.data.size(), got.data.size(), listener);
    }
    // GoogleTest compares once without a listener, and again if the arrays differ.
    const bool writes_if_right = !listener->IsInterested();
    for (std::size_t i = 0; i < got.data.size(); ++i) {
      if (agrees_(expected_.data[i], got.data[i], i)) [[likely]]
        continue;
      const bool unwritten = IsUnwritten(got.data[i]);
      const bool kept = IsKept(got, i);
      found.Count(i, unwritten, kept);
      if (found.WantsMore()) {
        found.Add({i, ExpectedText(i), ValueText(got.data[i]), unwritten, kept});
      }
    }
    if constexpr (!kNumpyType<T>.empty()) {
      const bool writes = found.empty() == writes_if_right;
      if (writes && DumpLog::Current().Wants(got.call, found.empty())) {
        DumpLog::Current().Add(DumpOf(got));
      }
    }
    if (!found.empty() && got.cause.notes.empty()) found.KnowGrids(got.grids);
    if (!found.empty() && got.start != nullptr) found.KnowKept(BoxOf(got), got.stores);
    return found.Explain(got.cause, claim_, listener);
  }

  void DescribeTo(std::ostream* out) const { *out << claim_; }
  void DescribeNegationTo(std::ostream* out) const { *out << "not: " << claim_; }

 private:
  std::string ExpectedText(std::size_t i) const {
    std::string text = ValueText(expected_.data[i]);
    if constexpr (requires { agrees_.Leeway(i); }) text += LeewayText(agrees_.Leeway(i));
    return text;
  }

  // Returns whether element `i` must keep the value that it had before the call.
  bool IsKept(const Values<T>& got, std::size_t i) const {
    if (got.start == nullptr) return false;
    T before;
    std::memcpy(&before, got.start->bytes.data() + i * sizeof(T), sizeof(T));
    return SameBits()(before, expected_.data[i], i);
  }

  ChangedBox BoxOf(const Values<T>& got) const {
    ChangedBox box(got.extents);
    for (std::size_t i = 0; i < got.data.size(); ++i) {
      if (!IsKept(got, i)) box.Add(i);
    }
    return box;
  }

  ArrayDump DumpOf(const Values<T>& got) const {
    ArrayDump dump{.array = got.name,
                   .call = got.call,
                   .type = std::string(kNumpyType<T>),
                   .extents = {got.extents.begin(), got.extents.end()},
                   .expected = BytesText(expected_.data),
                   .got = BytesText(got.data),
                   .address = got.address};
    for (std::size_t i = 0; i < got.data.size(); ++i) {
      dump.states += agrees_(expected_.data[i], got.data[i], i) ? ResultMap::kRight
                     : IsUnwritten(got.data[i])                 ? ResultMap::kUnwritten
                                                                : ResultMap::kWrong;
    }
    if (got.start != nullptr) {
      if (const ChangedBox box = BoxOf(got); box.HasFrame()) dump.inner = box.Ranges();
    }
    return dump;
  }

  Values<T> expected_;
  std::string claim_;
  Agrees agrees_;
};

template <class T>
struct NearEnough {
  std::vector<Approximation> expected;

  double Leeway(std::size_t i) const { return expected[i].error; }
  bool operator()(T, T got, std::size_t i) const {
    return std::abs(static_cast<double>(got) - expected[i].value) <= expected[i].error;
  }
};

}  // namespace compare_internal

// Matches if every element has the same bits: NaN must be the same NaN, and -0 is not 0.
template <class T>
auto ExactlyEquals(Values<T> expected) {
  return compare_internal::ArrayMatcher(std::move(expected), "equals the expected values exactly",
                                        compare_internal::SameBits());
}

// Matches if every element is the same number: -0 equals 0, and a NaN equals the same NaN.
template <class T>
auto EqualsAsNumbers(Values<T> expected) {
  return compare_internal::ArrayMatcher(std::move(expected), "equals the expected numbers",
                                        compare_internal::SameNumbers());
}

// Matches if every element is at most `ulps` representable values away from the expected one. NaN
// is always wrong.
template <class T>
auto WithinUlps(std::uint64_t ulps, Values<T> expected) {
  return compare_internal::ArrayMatcher(
      std::move(expected), "is within " + std::to_string(ulps) + " ULPs of the expected values",
      [ulps](T want, T got, std::size_t) {
        return compare_internal::UlpsBetween(want, got) <= ulps;
      });
}

// Matches if every element is within `bound`. NaN is always wrong.
template <class T>
auto WithinError(ErrorBound bound, Values<T> expected) {
  return compare_internal::ArrayMatcher(
      std::move(expected), "is within " + BoundText(bound.absolute, bound.relative),
      [bound](T want, T got, std::size_t) {
        const double error = std::abs(static_cast<double>(got) - static_cast<double>(want));
        const double limit = bound.absolute + bound.relative * std::abs(static_cast<double>(want));
        // Written so that NaN fails; `error > limit` would be false for NaN too.
        return error <= limit;
      });
}

// Matches if every element is within its own error. NaN is always wrong.
template <class T>
auto WithinErrors(std::vector<Approximation> expected) {
  Values<T> values;
  for (const Approximation& one : expected) values.data.push_back(static_cast<T>(one.value));
  return compare_internal::ArrayMatcher(std::move(values),
                                        "is within the rounding errors of its operations",
                                        compare_internal::NearEnough<T>{std::move(expected)});
}

}  // namespace warpcheck

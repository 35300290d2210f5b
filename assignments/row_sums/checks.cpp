#include "checks/checks.h"

#include "row_sums.h"

namespace {

using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ErrorOfSum;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::UnitOf;
using warpcheck::Values;
using warpcheck::WithinErrors;

struct Shape {
  int rows;
  int cols;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.rows << 'x' << shape.cols; }

constexpr float kMost = 1 << 20;

const Promised<&row_sums> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("m", -kMost, kMost), Output("sums"), Integers("rows", 1, 70'000),
     Integers("cols", 1, 100'000)},
    {{{"rows", "cols"}, 1'000'000}});

class RowSums : public warpcheck::AssignmentOver<Shape> {
 protected:
  int rows() const { return GetParam().rows; }
  int cols() const { return GetParam().cols; }

  std::vector<float> Elements() {
    const DataKind kind = Kind();
    const float most = std::ldexp(kMost, kind.exponent);
    return kind.all_digits ? WithAllDigits(most) : ExactInEveryOrder(most);
  }

  // Returns elements for which every order gives the same sum. They are multiples of a unit from
  // -128 to 128, except one of each row, which is up to 2^21. All sums of 10^5 of them are
  // multiples of the unit and at most 2^24, so a float represents them exactly. No sum is rounded.
  // If a result differs from the expected sum, the program has left out an element, taken a wrong
  // one, taken one twice, or cut its last bits.
  std::vector<float> ExactInEveryOrder(float most) {
    constexpr int kSteps = 128;
    const float unit = most / (1 << 21);
    std::vector<float> elements = RandomMultiples(rows() * cols(), unit, -kSteps, kSteps);
    const std::vector<int> places = RandomInts(rows(), 0, cols() - 1);
    const std::vector<int> halves = RandomInts(rows(), 1 << 19, (1 << 20) - 1);
    for (int row = 0; row < rows(); ++row) {
      const auto i = static_cast<std::size_t>(row);
      // A whole number of 21 bits, of which the last is set.
      const auto odd = static_cast<float>(2 * halves[i] + 1);
      elements[i * static_cast<std::size_t>(cols()) + static_cast<std::size_t>(places[i])] =
          (row % 2 == 0 ? odd : -odd) * unit;
    }
    return elements;
  }

  // Returns elements that use every bit of a float. They detect sums with less precision: half
  // precision, fixed point, integers. In a quarter of the rows, at most three elements are not
  // zero, and so few roundings are allowed. The first row is never of this kind.
  std::vector<float> WithAllDigits(float most) {
    std::vector<float> elements = RandomFloats(rows() * cols(), -most, most);
    const std::vector<int> draws = RandomInts(rows(), 0, 3);
    for (int row = 1; row < rows(); ++row) {
      if (draws[static_cast<std::size_t>(row)] != 0) continue;
      const auto begin = elements.begin() + std::ptrdiff_t{row} * cols();
      const std::vector<int> places = RandomInts(3, 0, cols() - 1);
      for (int col = 0; col < cols(); ++col) {
        if (std::ranges::find(places, col) == places.end()) begin[col] = 0;
      }
    }
    return elements;
  }

  Plan Perform() override {
    const auto m = Upload(Elements(), warpcheck::ExtentsOf(rows(), cols()));
    const auto sums = Unwritten<float>(rows());
    return MakePlan<&row_sums>(m, sums, rows(), cols());
  }

  // Computes the sum of each row. Adding n elements that are not zero takes n - 1 additions in any
  // order, and adding a zero rounds nothing.
  static std::vector<Approximation> Sums(const Trial& trial) {
    const Values<float> m = trial.Before<float>(0);
    const auto cols = static_cast<std::size_t>(trial.Number<int>(1));
    const double unit = UnitOf(m.data);
    std::vector<Approximation> sums;
    for (std::size_t first = 0; first < m.data.size(); first += cols) {
      double sum = 0;
      double magnitude = 0;
      std::uint64_t terms = 0;
      for (std::size_t col = 0; col < cols; ++col) {
        const double term = m.data[first + col];
        sum += term;
        magnitude += std::abs(term);
        terms += term != 0 ? 1 : 0;
      }
      const std::uint64_t additions = std::max<std::uint64_t>(terms, 1) - 1;
      sums.push_back({.value = sum, .error = ErrorOfSum(magnitude, unit, additions)});
    }
    return sums;
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(Sums(CallOnce())));
  }

  // The limit allows for a single thread that adds one element after the other, and for a block of
  // 1024 threads for every row.
  warpcheck::CallLimits Limits() const override {
    const auto row = 3200 + 100 * static_cast<std::uint64_t>(cols());
    return {.instructions = 1'000'000 + row * static_cast<std::uint64_t>(rows())};
  }
};

TEST_P(RowSums, MatchesReference) { ExpectRight(); }

TEST_P(RowSums, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// The most elements that the handout promises.
class LargestRowSums : public warpcheck::Once<RowSums> {};

TEST_P(LargestRowSums, MatchesReference) { ExpectRight(); }

// The graded rows have whole warps of elements and start at a sector, so that each load of a warp
// can access as few sectors as its bytes need.
class RowSumsOfFullWarps : public RowSums {};

// Every element is loaded once, and every sum is stored once. The rest of the bound is for ways to
// combine the sums: one atomic of each warp for every 32 elements gives 1.25 times. One thread for
// each row gives 8 times: each load of a warp accesses 32 sectors for 4 sectors of data. With
// vectors of four floats it gives 2 times, and so does every program that loads the matrix a second
// time.
TEST_P(RowSumsOfFullWarps, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.3));
}

// The matrix has so many rows that blocks of up to 32 warps share them, a row for each warp.
class RowSumsOfManyRows : public RowSums {};

// The busiest block of each launch may load and store, together with those of the other launches,
// an eighth of the bytes of the matrix. A block of 32 warps has 32 of about 500 rows.
TEST_P(RowSumsOfManyRows, SharesTheRows) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(sizeof(float) / 8.0 * rows() * cols()));
}

// Rows of the largest matrix start at a sector, and end within a warp.
TEST_P(LargestRowSums, CoalescesGlobalMemory) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.3)); }

std::vector<Shape> Graded() {
  return DrawnFrom<Shape>(
      "graded", 3,
      {{200, 512}, {64, 1024}, {128, 512}, {320, 256}, {96, 768}, {160, 640}, {224, 384}});
}

// The matrix has more elements than those of all other calls but the largest one.
Shape Large() { return {DrawnNumber("rows", 450, 550), DrawnNumber("cols", 480, 560)}; }

// The shapes are single rows and columns; sizes around a warp and around blocks of 256 and 1024
// threads; primes; more rows, or columns, than 65,535, the most blocks that a grid may have in y;
// and the large one.
std::vector<Shape> Shapes() {
  return Joined(Graded(), {{1, 1},
                           {1, 100},
                           {100, 1},
                           {31, 33},
                           {32, 32},
                           {33, 31},
                           {7, 255},
                           {256, 256},
                           {9, 257},
                           {97, 211},
                           {5, 1025},
                           {2, 99'991},
                           {2, 100'000},
                           {70'000, 3},
                           Large()});
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowSums, ValuesIn(Shapes()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, LargestRowSums, testing::Values(Shape{1000, 1000}),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Shapes, RowSumsOfFullWarps, ValuesIn(Graded()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, RowSumsOfManyRows, testing::Values(Large()), CaseNames());

}  // namespace

#include "checks/checks.h"

#include "row_sums.h"

namespace {

using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Plan;
using warpcheck::RoundingBound;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::Values;
using warpcheck::WithinErrors;

struct Shape {
  int rows;
  int cols;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.rows << 'x' << shape.cols; }

// The error that a sum may have depends on the order of summation, which the student chooses. For
// two kinds of elements there is nevertheless a clear answer.

// Returns elements for which every order gives the same sum. They are multiples of 1/128 from -1 to
// 1, except one of each row, which is up to 2^21 / 128. All sums of 10^5 of them are multiples of
// 1/128 and at most 2^24 / 128, so a float represents them exactly. No sum is rounded. If a result
// differs from the expected sum, the program has left out an element, taken a wrong one, taken one
// twice, or cut its last bits.
class RowSums : public warpcheck::AssignmentOver<Shape> {
 protected:
  static constexpr int kSteps = 128;

  int rows() const { return GetParam().rows; }
  int cols() const { return GetParam().cols; }

  virtual std::vector<float> Elements() {
    std::vector<float> elements = RandomMultiples(rows() * cols(), 1.0F / kSteps, -kSteps, kSteps);
    const std::vector<int> places = RandomInts(rows(), 0, cols() - 1);
    const std::vector<int> halves = RandomInts(rows(), 1 << 19, (1 << 20) - 1);
    for (int row = 0; row < rows(); ++row) {
      const auto i = static_cast<std::size_t>(row);
      // Has 21 bits. The last bit is set.
      const auto odd = static_cast<float>(2 * halves[i] + 1);
      elements[i * static_cast<std::size_t>(cols()) + static_cast<std::size_t>(places[i])] =
          (row % 2 == 0 ? odd : -odd) / kSteps;
    }
    return elements;
  }

  Plan Perform() override {
    const auto m = Upload(Elements());
    const auto sums = Unwritten<float>(rows());
    return MakePlan<&row_sums>(m, sums, rows(), cols());
  }

  // Computes the sum of each row, and the allowed error relative to it.
  static std::vector<Approximation> Sums(const Trial& trial, double share) {
    const Values<float> m = trial.Before<float>(0);
    const auto cols = static_cast<std::size_t>(trial.Number<int>(1));
    std::vector<Approximation> sums;
    for (std::size_t first = 0; first < m.data.size(); first += cols) {
      double sum = 0;
      for (std::size_t col = 0; col < cols; ++col) sum += m.data[first + col];
      sums.push_back({.value = sum, .error = share * std::abs(sum)});
    }
    return sums;
  }

  // The limit allows for a single thread that adds one element after the other, and for a block of
  // 1024 threads for every row.
  warpcheck::CallLimits Limits() const override {
    const auto row = 3200 + 100 * static_cast<std::uint64_t>(cols());
    return {.instructions = 1'000'000 + row * static_cast<std::uint64_t>(rows())};
  }
};

TEST_P(RowSums, MatchesReference) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(Sums(CallOnce(), 0)));
}

TEST_P(RowSums, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// These elements use every bit of a float. They detect sums with less precision: half precision,
// fixed point, integers.
class RowSumsOfAnyFloats : public RowSums {
 protected:
  std::vector<float> Elements() override { return RandomFloats(rows() * cols(), 0.5F, 1.5F); }
  std::string TrialName() const override { return "any floats " + RowSums::TrialName(); }

  // Adding n elements takes n - 1 additions in any order. No element is negative, so the sum of the
  // magnitudes is the sum itself.
  double Bound() const { return RoundingBound(static_cast<std::uint64_t>(cols() - 1)); }
};

TEST_P(RowSumsOfAnyFloats, MatchesReference) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(Sums(CallOnce(), Bound())));
}

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

std::vector<Shape> Graded() {
  return DrawnFrom<Shape>(
      "graded", 3,
      {{200, 512}, {64, 1024}, {128, 512}, {320, 256}, {96, 768}, {160, 640}, {224, 384}});
}

// This shape is larger than all others.
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
                           {2, 100'003},
                           {66'001, 3},
                           Large()});
}

INSTANTIATE_TEST_SUITE_P(Shapes, RowSums, ValuesIn(Shapes()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, RowSumsOfAnyFloats,
                         testing::Values(Shape{1, 1}, Shape{33, 31}, Shape{97, 211},
                                         Shape{64, 1024}),
                         CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, RowSumsOfFullWarps, ValuesIn(Graded()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, RowSumsOfManyRows, testing::Values(Large()), CaseNames());

}  // namespace

#include "checks/checks.h"

#include <algorithm>

#include "matmul.h"

namespace {

using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::GlobalLoadsWithin;
using warpcheck::GlobalStoresWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RoundingBound;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::WithinErrors;

// The extents of the product of an (m x k) and a (k x n) matrix.
struct Shape {
  int m;
  int n;
  int k;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.m << 'x' << shape.n << 'x' << shape.k;
}

constexpr float kMost = 1 << 20;

// The graded shapes have the most products.
constexpr std::int64_t kMostProducts = std::int64_t{128} * 192 * 256;

const Promised<&matmul> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("a", -kMost, kMost), Reals("b", -kMost, kMost), Output("c"), Integers("m", 1, 70'000),
     Integers("n", 1, 70'000), Integers("k", 1, 10'000)},
    {{{"m", "n", "k"}, kMostProducts}});

class Matmul : public warpcheck::AssignmentOver<Shape> {
 protected:
  std::size_t m() const { return static_cast<std::size_t>(GetParam().m); }
  std::size_t n() const { return static_cast<std::size_t>(GetParam().n); }
  std::size_t k() const { return static_cast<std::size_t>(GetParam().k); }

  Plan Perform() override {
    const auto a = Upload(Factors(), {m(), k()});
    const auto b = Upload(Numbers(k() * n()), {k(), n()});
    const auto c = Unwritten<float>(m(), n());
    return MakePlan<&matmul>(a, b, c, GetParam().m, GetParam().n, GetParam().k);
  }

  // All numbers have all digits. The sizes of numbers differ from call to call.
  std::vector<float> Numbers(std::size_t count) {
    const float most = std::ldexp(kMost, Kind().exponent);
    return RandomFloats(count, -most, most);
  }

  // In a quarter of the rows, at most three elements are not zero. Such a row allows few roundings
  // whatever k is, so the check notices factors that lost bits. The first row is never of this
  // kind.
  std::vector<float> Factors() {
    std::vector<float> a = Numbers(m() * k());
    const std::vector<int> draws = RandomInts(m(), 0, 3);
    for (std::size_t i = 1; i < m(); ++i) {
      if (draws[i] != 0) continue;
      const auto row = a.begin() + static_cast<std::ptrdiff_t>(i * k());
      std::vector<float> few(k());
      for (const int p : RandomInts(3, 0, GetParam().k - 1))
        few[static_cast<std::size_t>(p)] = row[p];
      std::ranges::copy(few, row);
    }
    return a;
  }

  // The limit allows for one thread that computes one product after the other, and for a grid that
  // fills a GPU whatever the shape is.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 10'000'000 + 20 * m() * n() * k() + 100 * m() * n()};
  }

  // Computes every element in double precision, and the bound on the error of a float sum of the
  // same products. Of n products that are not zero, a term passes through at most n roundings,
  // whatever the order: one of its product and n - 1 of additions. Fused multiply-adds round less,
  // and adding zero rounds nothing. Half precision exceeds this bound. A factor with a mantissa of
  // 16 bits, and a product that is left out or counted twice, exceed it too.
  std::vector<Approximation> DotProducts(const Trial& trial) const {
    const std::vector<float> a = trial.Before<float>(0).data;
    const std::vector<float> b = trial.Before<float>(1).data;
    std::vector<Approximation> all(m() * n());
    for (std::size_t i = 0; i < m(); ++i) {
      std::uint64_t terms = 0;
      for (std::size_t p = 0; p < k(); ++p) {
        if (a[i * k() + p] == 0) continue;
        ++terms;
        for (std::size_t j = 0; j < n(); ++j) {
          const double product = static_cast<double>(a[i * k() + p]) * b[p * n() + j];
          all[i * n() + j].value += product;
          all[i * n() + j].error += std::abs(product);
        }
      }
      const double bound = RoundingBound(terms);
      for (std::size_t j = 0; j < n(); ++j) all[i * n() + j].error *= bound;
    }
    return all;
  }
};

TEST_P(Matmul, MatchesDotProducts) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(DotProducts(CallOnce())));
}

TEST_P(Matmul, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// The targets below apply if no tile is cut off at an edge, because rows of other shapes do not
// start at a sector.
class MatmulOfFullTiles : public Matmul {
 protected:
  double Products() const { return static_cast<double>(m() * n() * k()); }
  double SectorsOfResults() const { return static_cast<double>(m() * n() * sizeof(float)) / 32; }

  // Returns the sectors that a product without tiles loads. A warp that computes 32 neighbours of a
  // row of c needs 1 sector of a and 4 sectors of b for each step along k. A warp that computes 16
  // neighbours of two rows needs 2 and 2.
  double SectorsWithoutTiles() const { return 5 * Products() / 32; }

  // Returns the sectors that the product with tiles of 16 x 16 elements loads. A tile's row is 64
  // bytes; each of the (m / 16) (n / 16) tiles of c needs k / 16 tiles of a, and as many of b.
  double SectorsOfTiles() const {
    constexpr double kTile = 16;
    constexpr double kSectorsOfATile = kTile * kTile * sizeof(float) / 32;
    const auto tiles = [](std::size_t extent) { return static_cast<double>(extent) / kTile; };
    return tiles(m()) * tiles(n()) * tiles(k()) * 2 * kSectorsOfATile;
  }
};

// Warps that run along rows of c, without any reuse, meet both bounds. Warps that run down its
// columns load 66 sectors where these load 10. A result that is stored by columns takes 8 sectors
// for each one of its own. The bound leaves room for products that are split in depth, whose parts
// are stored too.
TEST_P(MatmulOfFullTiles, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(1.05, {SectorsWithoutTiles(),
                                                   "where every thread loads its own factors"}));
  EXPECT_THAT(CallOnce(), GlobalStoresWithin(4));
}

// The bound is a quarter more than tiles need, for additional loads such as a first tile that is
// loaded ahead of a loop, and for blocks beyond the last row or column, which load the tiles of the
// other matrix. Tiles of 8 x 8 need twice as much, and a product without tiles eight times.
TEST_P(MatmulOfFullTiles, LoadsAsFewSectorsAsTiles) {
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(
                              1.25, {SectorsOfTiles(),
                                     "to load each factor once for each tile of 16 x 16 results"}));
}

class MatmulOfManyTiles : public MatmulOfFullTiles {};

// A block that computes the product alone moves each matrix at least once. The busiest block of
// each launch may load and store, together with those of the other launches, 0.8 times these bytes.
// Two blocks of 128 x 128 results move at most 0.77 times each, smaller blocks much less.
TEST_P(MatmulOfManyTiles, SharesTheTiles) {
  const double bytes = static_cast<double>((m() * k() + k() * n() + m() * n()) * sizeof(float));
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(0.8 * bytes));
}

// Each of the two factors of 32 products takes a wavefront, and filling tiles of 16 x 16 takes a
// sixteenth of that: 1.06. A row of 17 words, which has one bank conflict with the next row, gives
// 1.13. A tile that is filled transposed gives 1.5. Threads that compute several elements each need
// far less. A grid and a loop that have a row, a column and a step of tiles too many, filled with
// zeros, give at most 1.5 times with tiles of 16 x 16, and 2.1 times with tiles of 32 x 32.
TEST_P(MatmulOfFullTiles, AvoidsBankConflicts) {
  EXPECT_THAT(CallOnce(),
              SharedTrafficWithin(1.1, {2 * Products() / 32,
                                        "to read both factors of 32 products, one wavefront each"})
                  .OrWithoutWaste(2.25));
}

// The seed draws one shape of each list. All shapes of a list have the same three extents, in
// different orders.
std::vector<Shape> GradedLarge() {
  return DrawnFrom<Shape>("graded", 1,
                          {{128, 256, 192},
                           {128, 192, 256},
                           {256, 128, 192},
                           {256, 192, 128},
                           {192, 128, 256},
                           {192, 256, 128}});
}

std::vector<Shape> Graded() {
  return Joined(
      GradedLarge(),
      DrawnFrom<Shape>(
          "graded, small", 1,
          {{256, 64, 128}, {128, 256, 64}, {128, 64, 256}, {64, 256, 128}, {64, 128, 256}}));
}

// The shapes are around tiles of 8, 16, 32 and 64; primes; shapes with each extent alone larger
// than the others; shapes with more rows, or columns, than a grid may have blocks in y; the graded
// ones; and one that is larger than all others.
std::vector<Shape> Shapes() {
  const Shape large{DrawnNumber("m", 560, 640), DrawnNumber("n", 5, 8), DrawnNumber("k", 390, 450)};
  return Joined(
      Graded(),
      {large,          {1, 1, 1},      {1, 1, 300},   {1, 100, 1},    {100, 1, 1},   {7, 9, 8},
       {15, 17, 16},   {16, 16, 16},   {16, 16, 17},  {17, 15, 33},   {31, 33, 32},  {33, 31, 15},
       {64, 64, 64},   {256, 128, 64}, {65, 63, 70},  {13, 101, 211}, {101, 13, 47}, {48, 80, 1},
       {70'000, 3, 2}, {3, 70'000, 2}, {3, 7, 10'000}});
}

INSTANTIATE_TEST_SUITE_P(Shapes, Matmul, ValuesIn(Shapes()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, MatmulOfFullTiles, ValuesIn(Graded()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, MatmulOfManyTiles, ValuesIn(GradedLarge()), CaseNames());

}  // namespace

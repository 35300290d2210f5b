#include "checks/checks.h"

#include "transpose.h"

namespace {

using testing::ValuesIn;
using warpcheck::AnyReals;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::Values;

struct Shape {
  int rows;
  int cols;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.rows << 'x' << shape.cols; }

const Promised<&transpose> kPromised(  // NOLINT(cert-err58-cpp)
    {AnyReals("in", true), Output("out"), Integers("rows", 1, 70'000), Integers("cols", 1, 70'000)},
    {{{"rows", "cols"}, 1'000'000}});

class Transpose : public warpcheck::AssignmentOver<Shape> {
 protected:
  int rows() const { return GetParam().rows; }
  int cols() const { return GetParam().cols; }

  Plan Perform() override {
    const auto in = Upload(RandomFloats(rows() * cols(), -1, 1, warpcheck::kAnyFloat),
                           warpcheck::ExtentsOf(rows(), cols()));
    const auto out = Unwritten<float>(cols(), rows());
    return MakePlan<&transpose>(in, out, rows(), cols());
  }

  static Values<float> Transposed(const Trial& trial) {
    const Values<float> in = trial.Before<float>(0);
    Values<float> out = in;
    const auto rows = static_cast<std::size_t>(trial.Number<int>(0));
    const auto cols = static_cast<std::size_t>(trial.Number<int>(1));
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t col = 0; col < cols; ++col) {
        out.data[col * rows + row] = in.data[row * cols + col];
      }
    }
    return out;
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    EXPECT_THAT(CallOnce().Output<float>(), ExactlyEquals(Transposed(CallOnce())));
  }

  // The limit allows for a single thread that moves one element after the other.
  warpcheck::CallLimits Limits() const override {
    const auto elements = static_cast<std::uint64_t>(rows()) * static_cast<std::uint64_t>(cols());
    return {.instructions = 1'000'000 + 100 * elements};
  }
};

TEST_P(Transpose, MatchesReference) { ExpectRight(); }

// The most elements that the handout promises.
class LargestTranspose : public warpcheck::Once<Transpose> {};

TEST_P(LargestTranspose, MatchesReference) { ExpectRight(); }

TEST_P(Transpose, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// The targets below apply if no tile is cut off at an edge, because rows of other shapes do not
// start at a sector.
class TransposeOfFullTiles : public Transpose {};

// Every element is read once and written once. A hundredth is left for other data of a program. If
// loads or stores run down columns, the factor is 4.5. If both do, or if warps have one active
// lane, it is 8. Copies of the host do not count: the criterion is about what warps access.
TEST_P(TransposeOfFullTiles, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalTrafficWithin(1.01).WithoutCopies());
}

// The busiest block of each launch may load and store, together with those of the other launches, a
// quarter of the bytes of both matrices. Tiles of 128 x 128 elements have a seventh or less.
TEST_P(TransposeOfFullTiles, SharesTheTiles) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(2.0 * rows() * cols() * sizeof(float) / 4));
}

// Each element is stored to shared memory once and loaded once, 32 of them in a wavefront. A
// two-way conflict on one side alone gives 1.5 times, and a 32-way conflict 16.5 times. A grid with
// a row and a column of tiles too many, whose blocks fill their tiles with zeros, gives at most
// 1.24 times with tiles of 32 x 32, and 2 times with larger ones. A program without shared memory
// meets this target.
TEST_P(TransposeOfFullTiles, AvoidsBankConflicts) {
  const double wavefronts = 2.0 * rows() * cols() / 32;
  EXPECT_THAT(CallOnce(),
              SharedTrafficWithin(1.1, {wavefronts, "to keep each element once and read it once"})
                  .OrWithoutWaste(2.25));
}

// Rows of this matrix do not start at a sector: tiles of 32 x 32 elements move 1.25 times the
// sectors, and tiles of 8 x 8 move 2 times. Columns on one side alone make it 4.5.
TEST_P(LargestTranspose, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalTrafficWithin(2.2).WithoutCopies());
}

// The graded shapes have full tiles of up to 64 x 64 elements.
std::vector<Shape> Graded() {
  return DrawnFrom<Shape>(
      "graded", 2,
      {{512, 256}, {320, 384}, {384, 320}, {192, 640}, {640, 192}, {320, 448}, {448, 320}});
}

// The last shapes have the most rows and columns.
std::vector<Shape> Shapes() {
  return Joined(Graded(), {{1, 1},
                           {1, 100},
                           {100, 1},
                           {31, 33},
                           {32, 32},
                           {33, 31},
                           {32, 33},
                           {33, 32},
                           {63, 65},
                           {64, 64},
                           {65, 63},
                           {97, 211},
                           {256, 512},
                           {3, 5003},
                           {5003, 3},
                           {3, 70'000},
                           {70'000, 3}});
}

INSTANTIATE_TEST_SUITE_P(Shapes, Transpose, ValuesIn(Shapes()), CaseNames());

Shape Largest() {
  const int rows = DrawnNumber("rows", 800, 1200);
  return {rows, 1'000'000 / rows};
}

INSTANTIATE_TEST_SUITE_P(Shapes, LargestTranspose, testing::Values(Largest()),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Shapes, TransposeOfFullTiles, ValuesIn(Graded()), CaseNames());

}  // namespace

#include "checks/checks.h"

#include <bit>
#include <utility>

#include "expected.h"
#include "wave3d.h"

namespace {

using testing::Values;
using testing::ValuesIn;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
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
using warpcheck::RunsCleanly;
using warpcheck::SpillsNothing;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::WithinErrors;
using wave3d::Box;

using Floats = warpcheck::DeviceArray<float>;
using Coefficients = warpcheck::HostArray<float>;

constexpr float kMost = 1 << 20;
constexpr std::int64_t kMostCells = 530'000;
constexpr std::int64_t kLongestSide = 1040;

const Promised<&wave3d_step> kPromised(  // NOLINT(cert-err58-cpp)
    {Output("next"), Reals("curr", -kMost, kMost), Reals("prev", -kMost, kMost), Reals("vsq", 0, 1),
     Integers("nx", 9, kLongestSide), Integers("ny", 9, kLongestSide),
     Integers("nz", 9, kLongestSide), Reals("c", -1, 1)},
    {{{"nx", "ny", "nz"}, kMostCells}});

class Wave : public warpcheck::AssignmentOver<Box> {
 protected:
  Plan Perform() override {
    const Box& box = GetParam();
    const auto curr =
        Upload(RandomFloats(box.Cells(), -1, 1, warpcheck::kWideRange), ExtentsOf(box));
    const auto prev =
        Upload(RandomFloats(box.Cells(), -1, 1, warpcheck::kWideRange), ExtentsOf(box));
    return MakePlan<&wave3d_step>(Unstepped(box), curr, prev,
                                  Upload(Velocities(box), ExtentsOf(box)), box.nx, box.ny, box.nz,
                                  NewCoefficients());
  }

  // The limit allows for a single thread that computes one cell after the other.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 10'000'000 + 400 * static_cast<std::uint64_t>(GetParam().Cells())};
  }

  // No coefficient is near zero, so that a missing one is noticed.
  Coefficients NewCoefficients() {
    Coefficients c{RandomFloats(5, 0.25F, 1, warpcheck::kPlain)};
    const std::vector<int> signs = RandomInts(c.values.size(), 0, 1);
    for (std::size_t i = 0; i < signs.size(); ++i) {
      if (signs[i] == 0) c.values[i] = -c.values[i];
    }
    return c;
  }
  std::vector<float> Velocities(const Box& box) { return RandomFloats(box.Cells(), 0, 1); }

  static warpcheck::Extents ExtentsOf(const Box& box) {
    return {static_cast<std::size_t>(box.nz), static_cast<std::size_t>(box.ny),
            static_cast<std::size_t>(box.nx)};
  }
  Floats Stepped(const Box& box) {
    return Updated(RandomFloats(box.Cells(), -kMost, kMost), ExtentsOf(box));
  }

  // Makes a grid in which only the frame is written. Its values differ from the values of any other
  // grid's frame, so that a copied frame is noticed.
  Floats Unstepped(const Box& box) {
    std::vector<float> cells = RandomFloats(box.Cells());
    ForEachCell(box, [&](int x, int y, int z) {
      if (box.InInterior(x, y, z)) cells[box.At(x, y, z)] = std::bit_cast<float>(0xFFFF'FFFFU);
    });
    return PartlyWritten(cells, ExtentsOf(box));
  }

  void ExpectRight() {
    const Trial& trial = CallOnce();
    ASSERT_THAT(trial, RunsCleanly());
    ASSERT_THAT(trial, LaunchesAKernel());
    const auto before = [&](std::size_t n) { return trial.Before<float>(n).data; };
    const wave3d::Step step{GetParam(), before(0), before(1),
                            before(2),  before(3), trial.HostValues<float>()};
    EXPECT_THAT(trial.Output<float>(), WithinErrors<float>(Expected(step)));
  }
};

TEST_P(Wave, IsRight) { ExpectRight(); }
TEST_P(Wave, StaysInsideItsGrids) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// Makes steps as a program does, with three grids that take turns. Each step is judged relative to
// the previous result, so that errors do not add up. In between, steps in a box of another shape,
// with other coefficients, are made: data that a program keeps from one box are wrong for the
// other.
class WaveInSteps : public Wave {
 protected:
  struct Wavefield {
    Box box;
    Coefficients c;
    Floats vsq;
    Floats next, curr, prev;

    Plan NextStep() {
      Plan plan = MakePlan<&wave3d_step>(next, curr, prev, vsq, box.nx, box.ny, box.nz, c);
      const Floats oldest = std::exchange(prev, std::exchange(curr, next));
      next = oldest;
      return plan;
    }
  };

  Wavefield NewWavefield(const Box& box) {
    return {.box = box,
            .c = NewCoefficients(),
            .vsq = Updated(Velocities(box), ExtentsOf(box)),
            .next = Unstepped(box),
            .curr = Stepped(box),
            .prev = Stepped(box)};
  }

  Plans Calls() override {
    const auto [nx, ny, nz] = GetParam();
    Wavefield fields[] = {NewWavefield({nx, ny, nz}), NewWavefield({nz, nx, ny})};
    Plans calls;
    for (int step = 0; step < 6; ++step) {
      for (Wavefield& field : fields) calls.push_back(CallOf(field.box, field.NextStep()));
    }
    return calls;
  }

  std::string TrialName() const override { return "steps of " + Wave::TrialName(); }
};

TEST_P(WaveInSteps, IsRight) {
  ExpectRight();
  const Trial& trial = CallOnce();
  for (const std::size_t input : {1U, 2U, 3U}) {
    ASSERT_THAT(trial.Output<float>(input), ExactlyEquals(trial.Before<float>(input)));
  }
}

// The targets below apply if no tile is cut off at an edge.
class WaveOfFullTiles : public Wave {
 protected:
  double SectorsOfResults() const {
    return GetParam().Interior() * static_cast<double>(sizeof(float)) / 32;
  }

  // Returns the sectors that warps access with this number of loads for each cell. Because of the
  // frame, rows do not start at sectors: 32 cells of a row, 4 sectors of data, lie in 5.
  double SectorsOfLoads(double a_cell) const { return 1.25 * a_cell * SectorsOfResults(); }

  // Returns the loads for each cell, for blocks that march down `columns` columns of the interior,
  // with a halo of `halo` cells in each plane and the columns in registers. They load prev and vsq
  // once, the column with the four planes before and after it, and the halo.
  double LoadsOfMarchingBlocks(double columns, double halo) const {
    const double depth = GetParam().nz - 2 * wave3d::kFrame;
    return 2 + (depth + 2 * wave3d::kFrame) / depth + halo / columns;
  }
};

// A step without any reuse makes 27 loads for each cell: prev, vsq, and curr at 25 places. 32 cells
// of a row, which fill 4 sectors, lie in 5, and 16 cells of each of two rows lie in 6. Twice the
// sectors allow for all that, but not for warps that run along another axis, which move 8 times as
// many. Stores meet the same bound if each result is stored once.
constexpr double kCoalesced = 2;
constexpr double kLoadsWithoutReuse = 27;
constexpr char kNothingShared[] = "where no thread uses what another has loaded";

TEST_P(WaveOfFullTiles, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(kCoalesced, {kLoadsWithoutReuse * SectorsOfResults(),
                                                         kNothingShared}));
  EXPECT_THAT(CallOnce(),
              GlobalStoresWithin(kCoalesced, {SectorsOfResults(), "to store each result once"}));
}

// Every program that shares the cells of a plane loads at most half as much as a program without
// any reuse. If the column is loaded again in every plane, there are 2 + 9 loads and the halo,
// which in tiles of 16 x 16 is one cell for each computed cell.
TEST_P(WaveOfFullTiles, SharesPlanes) {
  EXPECT_THAT(CallOnce(),
              GlobalLoadsWithin(0.5, {SectorsOfLoads(kLoadsWithoutReuse), kNothingShared}));
}

// The bound is 1.5 times the loads of the reference, whose blocks march down 32 x 16 columns. It
// allows for tiles of 16 x 16 and 32 x 8, for shorter marches, and for boxes of cells that are
// loaded as a whole. It does not allow for columns that are loaded again in every plane.
TEST_P(WaveOfFullTiles, SharesColumns) {
  const double reference = LoadsOfMarchingBlocks(32 * 16, 2 * wave3d::kFrame * (32 + 16));
  EXPECT_THAT(CallOnce(),
              GlobalLoadsWithin(1.5, {SectorsOfLoads(reference),
                                      "by blocks that march down columns of 32 x 16 cells"}));
}

// A block that makes the step alone loads three grids and stores one. The busiest block of each
// launch may load and store, together with those of the other launches, 3.5 times the bytes of
// the results. Blocks that march down 32 x 32 columns of the whole depth, of which there are two,
// move 2.4 times as many.
TEST_P(WaveOfFullTiles, SharesTheWork) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(3.5 * 32 * SectorsOfResults()));
}

TEST_P(WaveOfFullTiles, KeepsLocalMemoryOut) { EXPECT_THAT(CallOnce(), SpillsNothing()); }

class LargestWave : public WaveOfFullTiles {};

// The bound of SharesPlanes, with room for tiles that an edge cuts off: a program must share the
// cells of a plane whatever its shape is. Without any reuse it is 1.
TEST_P(LargestWave, SharesPlanes) {
  EXPECT_THAT(CallOnce(),
              GlobalLoadsWithin(0.75, {SectorsOfLoads(kLoadsWithoutReuse), kNothingShared}));
}

// The graded interiors have multiples of every usual tile in each plane. They are so deep that
// blocks which continue into the planes of later blocks load and store too much.
std::vector<Box> Graded() {
  return DrawnFrom<Box>(
      "graded", 1, {{72, 40, 120}, {72, 40, 136}, {72, 40, 152}, {40, 72, 120}, {40, 72, 136}});
}

// The box with the most cells that the handout promises.
Box Largest() {
  const int nx = DrawnNumber("nx", 90, 98);
  const int ny = DrawnNumber("ny", 75, 81);
  return {nx, ny, static_cast<int>(kMostCells) / (nx * ny)};
}

// The shapes are a single cell; single rows and columns of cells along each axis; interiors around
// tiles of 8, 16 and 32; primes, with each extent the largest once; and more cells in each
// direction than a block has threads. One has the most cells.
std::vector<Box> Boxes() {
  return Joined(Graded(), {{9, 9, 9},
                           {60, 9, 9},
                           {9, 60, 9},
                           {9, 9, 60},
                           {40, 24, 16},
                           {39, 25, 17},
                           {41, 23, 15},
                           {73, 41, 13},
                           {19, 31, 43},
                           {43, 19, 31},
                           {31, 43, 19},
                           {17, 25, 39},
                           {1040, 11, 10},
                           {10, 1040, 11},
                           {11, 10, 1040},
                           {72, 72, 40},
                           Largest()});
}

INSTANTIATE_TEST_SUITE_P(Boxes, Wave, ValuesIn(Boxes()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Boxes, WaveInSteps, Values(Box{29, 21, 14}), CaseNames("steps_of_"));

INSTANTIATE_TEST_SUITE_P(Boxes, LargestWave, Values(Largest()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Boxes, WaveOfFullTiles, ValuesIn(Graded()), CaseNames());

}  // namespace

#include "checks/checks.h"

#include <bit>
#include <utility>

#include "expected.h"
#include "wave3d.h"

namespace {

using testing::Ge;
using testing::Le;
using testing::Values;
using warpcheck::CoalescingOfLaunches;
using warpcheck::ExactlyEquals;
using warpcheck::GlobalLoadBytes;
using warpcheck::GlobalStoreSectors;
using warpcheck::LaunchesAKernel;
using warpcheck::RunsCleanly;
using warpcheck::SpillsNothing;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::WithinErrors;
using wave3d::Box;

using Floats = warpcheck::DeviceArray<float>;
using Coefficients = warpcheck::HostArray<float>;

class Wave : public warpcheck::AssignmentOver<Box> {
 protected:
  // Drawn first, so that every test of a trial knows them. None is near zero, where leaving one out
  // would not show.
  void SetUp() override { coefficients_ = NewCoefficients(); }

  Trial Perform() override {
    const Box& box = GetParam();
    const auto curr = Upload(RandomFloats(box.Cells()));
    const auto prev = Upload(RandomFloats(box.Cells()));
    return Call(&wave3d_step, Unstepped(box), curr, prev, Upload(Velocities(box)), box.nx, box.ny,
                box.nz, coefficients_);
  }

  // A single thread that computes one cell after the other still ends in time.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 10'000'000 + 400 * static_cast<std::uint64_t>(GetParam().Cells())};
  }

  Coefficients NewCoefficients() { return {RandomFloats(5, 0.25F, 1)}; }
  std::vector<float> Velocities(const Box& box) { return RandomFloats(box.Cells(), 0.01F, 0.1F); }

  static warpcheck::Extents ExtentsOf(const Box& box) {
    return {static_cast<std::size_t>(box.nz), static_cast<std::size_t>(box.ny),
            static_cast<std::size_t>(box.nx)};
  }
  Floats Stepped(const Box& box) { return Updated(RandomFloats(box.Cells()), ExtentsOf(box)); }

  // A grid that was never written, but for its frame. The frame holds other values than that of any
  // other grid, so that copying one shows.
  Floats Unstepped(const Box& box) {
    std::vector<float> cells = RandomFloats(box.Cells());
    ForEachCell(box, [&](int x, int y, int z) {
      if (box.InInterior(x, y, z)) cells[box.At(x, y, z)] = std::bit_cast<float>(0xFFFF'FFFFU);
    });
    return PartlyWritten(cells, ExtentsOf(box));
  }

  // `trial` is of a step in such a box.
  static void ExpectRight(const Trial& trial, const Box& box, const Coefficients& c) {
    ASSERT_THAT(trial, RunsCleanly());
    ASSERT_THAT(trial, LaunchesAKernel());
    const auto before = [&](std::size_t n) { return trial.Before<float>(n).data; };
    const wave3d::Step step{box, before(0), before(1), before(2), before(3), c.values};
    EXPECT_THAT(trial.Output<float>(), WithinErrors<float>(Expected(step)));
  }

  Coefficients coefficients_;
};

TEST_P(Wave, IsRight) { ExpectRight(CallOnce(), GetParam(), coefficients_); }
TEST_P(Wave, StaysInsideItsGrids) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// Steps as a program makes them: the three grids take turns. Each step is judged by what the one
// before made, so that errors do not add up. Steps in a box of another shape, with other
// coefficients, come in between: what the program remembers of one is wrong for the other.
class WaveInSteps : public Wave {
 protected:
  struct Wavefield {
    Box box;
    Coefficients c;
    Floats vsq;
    Floats next, curr, prev;

    warpcheck::Plan NextStep() {
      auto plan =
          warpcheck::MakePlan(&wave3d_step, next, curr, prev, vsq, box.nx, box.ny, box.nz, c);
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
};

TEST_P(WaveInSteps, IsRight) {
  const auto [nx, ny, nz] = GetParam();
  Wavefield fields[] = {NewWavefield({nx, ny, nz}), NewWavefield({nz, nx, ny})};
  std::vector<warpcheck::Plan> calls;
  for (int step = 0; step < 6; ++step) {
    for (Wavefield& field : fields) calls.push_back(field.NextStep());
  }
  std::size_t call = 0;
  for (const Trial& trial : CallInTurn(calls)) {
    const Wavefield& field = fields[call++ % 2];
    ExpectRight(trial, field.box, field.c);
    if (HasFailure()) return;
    for (const std::size_t input : {1, 2, 3}) {
      ASSERT_THAT(trial.Output<float>(input), ExactlyEquals(trial.Before<float>(input)));
    }
  }
}

// What is graded here holds where no tile is cut off at an edge.
class WaveOfFullTiles : public Wave {
 protected:
  // Bytes that blocks load which march down columns of the interior, `columns` of them in each
  // block with a halo of `halo` cells a plane, with the columns in registers: prev and vsq once,
  // the column with the four planes before and after it, and the halo.
  double BytesOfMarchingBlocks(double columns, double halo) const {
    const double depth = GetParam().nz - 2 * wave3d::kFrame;
    const double loads_a_cell = 2 + (depth + 2 * wave3d::kFrame) / depth + halo / columns;
    return loads_a_cell * GetParam().Interior() * sizeof(float);
  }
};

// Frames keep rows from starting at sectors: a warp's 32 cells of a row, 4 sectors of them, touch
// 5, and 16 cells of each of two rows touch 6. A halo's columns, 4 cells wide, need a sector or two
// for each row, whoever loads them. 0.5, that is two sectors for each one needed, leaves room for
// all that, and none for warps that run along another axis: these get 0.125. Stores keep to
// the same bound as long as each result is stored once.
TEST_P(WaveOfFullTiles, CoalescesGlobalMemory) {
  constexpr double kCoalescing = 0.5;
  const double sectors_of_results = GetParam().Interior() * static_cast<double>(sizeof(float)) / 32;
  EXPECT_THAT(CallOnce(), CoalescingOfLaunches(Ge(kCoalescing)));
  EXPECT_THAT(CallOnce(), GlobalStoreSectors(Le(sectors_of_results / kCoalescing)));
}

// Without any reuse a cell costs 27 loads: prev, vsq, and curr at 25 places. Half of that is
// reached by all that share the cells of a plane: with the column loaded anew in every plane, 2 + 9
// loads and the halo, of one cell for each that is computed in tiles of 16 x 16.
TEST_P(WaveOfFullTiles, SharesPlanes) {
  EXPECT_THAT(CallOnce(), GlobalLoadBytes(Le(27.0 / 2 * GetParam().Interior() * sizeof(float))));
}

// At most 1.5 times what the reference loads, whose blocks march down 32 x 16 columns. That leaves
// room for tiles of 16 x 16 and 32 x 8, for shorter marches, and for boxes of cells that are loaded
// as a whole; but not for columns that are loaded anew in every plane.
TEST_P(WaveOfFullTiles, SharesColumns) {
  const double reference = BytesOfMarchingBlocks(32 * 16, 2 * wave3d::kFrame * (32 + 16));
  EXPECT_THAT(CallOnce(), GlobalLoadBytes(Le(1.5 * reference)));
}

TEST_P(WaveOfFullTiles, KeepsLocalMemoryOut) { EXPECT_THAT(CallOnce(), SpillsNothing()); }

// A single cell, single rows and columns of cells along each axis, interiors around tiles of 8, 16
// and 32, primes with each extent the largest once, and more columns than a block has threads.
INSTANTIATE_TEST_SUITE_P(Boxes, Wave,
                         Values(Box{9, 9, 9}, Box{60, 9, 9}, Box{9, 60, 9}, Box{9, 9, 60},
                                Box{40, 24, 16}, Box{39, 25, 17}, Box{41, 23, 15}, Box{73, 41, 13},
                                Box{19, 31, 43}, Box{43, 19, 31}, Box{31, 43, 19}, Box{17, 25, 39},
                                Box{1040, 11, 10}, Box{72, 72, 40}, Box{72, 40, 136}),
                         testing::PrintToStringParamName());

std::string InSteps(const testing::TestParamInfo<Box>& info) {
  return "steps_of_" + testing::PrintToString(info.param);
}

INSTANTIATE_TEST_SUITE_P(Boxes, WaveInSteps, Values(Box{29, 21, 14}), &InSteps);

// An interior of 64 x 32 x 128 cells: a multiple of every usual tile, and deep enough that blocks
// which march on into the planes of the blocks below load and store too much.
INSTANTIATE_TEST_SUITE_P(Boxes, WaveOfFullTiles, Values(Box{72, 40, 136}),
                         testing::PrintToStringParamName());

}  // namespace

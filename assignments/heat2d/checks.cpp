#include "checks/checks.h"

#include <utility>

#include "expected.h"
#include "heat2d.h"

namespace {

using heat2d::Cfl;
using heat2d::Grid;
using heat2d::Plate;
using testing::Values;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::Counter;
using warpcheck::CounterWithin;
using warpcheck::Described;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
using warpcheck::FunctionOf;
using warpcheck::GlobalLoadsWithin;
using warpcheck::GlobalStoresWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::OneOf;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::WithinErrors;

using Step = warpcheck::StudentFunction<decltype(&heat_global)>;
using Floats = warpcheck::DeviceArray<float>;

constexpr float kMost = 1 << 20;
constexpr std::int64_t kMostCells = 200'000;

template <auto kFunction>
Promised<kFunction> PromisedOf() {
  return Promised<kFunction>(
      {Output("next"), Reals("curr", -kMost, kMost), Described("gx", "`nx` + `order`"),
       Integers("nx", 1, 2000), Integers("ny", 1, 66'000), OneOf("order", {2, 4, 8}),
       Reals("xcfl", 0, 1), Reals("ycfl", 0, 1)},
      {{{"nx", "ny"}, kMostCells}});
}

const auto kGlobalPromised = PromisedOf<&heat_global>();  // NOLINT(cert-err58-cpp)
const auto kSharedPromised = PromisedOf<&heat_shared>();  // NOLINT(cert-err58-cpp)

class Heat : public warpcheck::AssignmentOver<Plate> {
 protected:
  Heat(Step step, std::string name) : step_(std::move(step)), name_(std::move(name)) {}

  int cells() const { return Cells(GetParam()); }
  double Terms() const { return 2.0 * GetParam().order + 1; }
  warpcheck::Needed SectorsOfTerms() const {
    return {Terms() * SectorsOfResults(), "to load each term of each result"};
  }
  double SectorsOfResults() const {
    return GetParam().nx * GetParam().ny * static_cast<double>(sizeof(float)) / 32;
  }

  Plan Perform() override {
    const auto curr =
        Upload(RandomFloats(cells(), -1, 1, warpcheck::kWideRange), ExtentsOf(GetParam()));
    return StepOn(GetParam(), Unstepped(GetParam()), curr, NewCfl());
  }

  std::string TrialName() const override { return name_ + " " + AssignmentOver::TrialName(); }

  // The limit allows for a single thread that computes one cell after the other.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 10'000'000 + 400 * static_cast<std::uint64_t>(cells())};
  }

  void ExpectRight() {
    const Trial& trial = CallOnce();
    ASSERT_THAT(trial, RunsCleanly());
    ASSERT_THAT(trial, LaunchesAKernel());
    const Grid next{GetParam(), trial.Before<float>(0).data};
    const Grid curr{GetParam(), trial.Before<float>(1).data};
    const Cfl cfl{trial.Number<float>(0), trial.Number<float>(1)};
    EXPECT_THAT(trial.Output<float>(), WithinErrors<float>(Expected(next, curr, cfl)));
  }

  // Makes consecutive steps on two grids that are exchanged after each step. Each step is judged
  // relative to the previous result, so that errors do not add up. In between, steps on a plate of
  // another order and shape are made: data that a program keeps from one plate are wrong for the
  // other.
  Plans Steps() {
    const Plate plate = GetParam();
    const Plate other{plate.order == 8 ? 2 : 2 * plate.order, plate.ny, plate.nx};
    std::pair grids{Unstepped(plate),
                    Updated(RandomFloats(Cells(plate), -kMost, kMost), ExtentsOf(plate))};
    std::pair others{Unstepped(other), Updated(Spikes(Cells(other)), ExtentsOf(other))};
    const Cfl cfl = NewCfl();
    const Cfl other_cfl = NewCfl();
    Plans calls;
    for (int step = 0; step < kSteps; ++step) {
      calls.push_back(CallOf(plate, StepOn(plate, grids.first, grids.second, cfl)));
      calls.push_back(CallOf(other, StepOn(other, others.first, others.second, other_cfl)));
      std::swap(grids.first, grids.second);
      std::swap(others.first, others.second);
    }
    return calls;
  }

 private:
  static constexpr int kSteps = 6;

  static int Cells(const Plate& plate) {
    return (plate.nx + plate.order) * (plate.ny + plate.order);
  }
  static warpcheck::Extents ExtentsOf(const Plate& plate) {
    return {static_cast<std::size_t>(plate.ny) + static_cast<std::size_t>(plate.order),
            static_cast<std::size_t>(plate.nx) + static_cast<std::size_t>(plate.order)};
  }

  // One cell in 40 is not zero. Most results then depend on one or two cells, and show each
  // coefficient to its last digits.
  std::vector<float> Spikes(int cells) {
    std::vector<float> values = RandomFloats(cells, -kMost, kMost);
    const std::vector<int> draws = RandomInts(cells, 0, 39);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (draws[i] != 0) values[i] = 0;
    }
    return values;
  }

  // Makes a grid of which only the frame is written. Its temperatures differ from those of any
  // other grid's frame, so that a copied frame is noticed.
  Floats Unstepped(const Plate& plate) {
    Grid grid{plate, RandomFloats(Cells(plate))};
    for (int row = 0; row < grid.rows(); ++row) {
      for (int col = 0; col < grid.pitch(); ++col) {
        if (grid.InInterior(row, col)) grid.cells[grid.At(row, col)] = heat2d::kUnwritten;
      }
    }
    return PartlyWritten(grid.cells, ExtentsOf(plate));
  }

  // The values differ in x and y, so that exchanging them is noticed.
  Cfl NewCfl() {
    const float large = RandomFloats(1, 0.3F, 1, warpcheck::kPlain).front();
    const float small = RandomFloats(1, 0.01F, 0.25F, warpcheck::kPlain).front();
    if (RandomInts(1, 0, 1).front() == 0) return {.x = large, .y = small};
    return {.x = small, .y = large};
  }

  template <class Current>
  Plan StepOn(const Plate& plate, const Floats& next, const Current& curr, const Cfl& cfl) const {
    return MakePlan(step_, next, curr, plate.nx + plate.order, plate.nx, plate.ny, plate.order,
                    cfl.x, cfl.y);
  }

  Step step_;
  std::string name_;
};

class HeatGlobal : public Heat {
 protected:
  HeatGlobal() : Heat(FunctionOf<&heat_global>(), "heat_global") {}
};

class HeatShared : public Heat {
 protected:
  HeatShared() : Heat(FunctionOf<&heat_shared>(), "heat_shared") {}
};

TEST_P(HeatGlobal, IsRight) { ExpectRight(); }
TEST_P(HeatShared, IsRight) { ExpectRight(); }
TEST_P(HeatGlobal, StaysInsideItsGrids) { EXPECT_THAT(CallOnce(), StaysInBounds()); }
TEST_P(HeatShared, StaysInsideItsGrids) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// Makes steps as a program does.
template <class HeatOnce>
class HeatInSteps : public HeatOnce {
 protected:
  typename HeatOnce::Plans Calls() override { return this->Steps(); }
  std::string TrialName() const override { return "steps of " + HeatOnce::TrialName(); }

  void ExpectRightStep() {
    this->ExpectRight();
    const Trial& trial = this->CallOnce();
    ASSERT_THAT(trial.Output<float>(1), ExactlyEquals(trial.Before<float>(1)));  // the grid curr
  }
};

using HeatGlobalInSteps = HeatInSteps<HeatGlobal>;
using HeatSharedInSteps = HeatInSteps<HeatShared>;

TEST_P(HeatGlobalInSteps, IsRight) { ExpectRightStep(); }
TEST_P(HeatSharedInSteps, IsRight) { ExpectRightStep(); }

// The targets below apply to full tiles, because a tile that an edge cuts off has the same halo for
// fewer cells.
class HeatGlobalOfFullTiles : public HeatGlobal {};
class HeatSharedOfFullTiles : public HeatShared {};

// A step without any reuse loads a sector for each term of eight cells. Because of the frame, rows
// do not start at sectors. Therefore a warp's 32 cells of a row, which fill 4 sectors, lie in 5,
// and 16 cells of each of two rows lie in 6. Twice the sectors allow for all that, but not for
// warps that run down a column, which move 8 times as many. Stores meet the same bound if each
// result is stored once.
constexpr double kCoalesced = 2;
constexpr char kStoredOnce[] = "to store each result once";
constexpr char kKeptAndRead[] = "to keep each cell once and read it for each term of a result";

TEST_P(HeatGlobalOfFullTiles, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(kCoalesced, SectorsOfTerms()));
  EXPECT_THAT(CallOnce(), GlobalStoresWithin(kCoalesced, {SectorsOfResults(), kStoredOnce}));
}

TEST_P(HeatSharedOfFullTiles, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(kCoalesced, SectorsOfTerms()));
  EXPECT_THAT(CallOnce(), GlobalStoresWithin(kCoalesced, {SectorsOfResults(), kStoredOnce}));
}

// The handout wants two versions, one of them without shared memory.
TEST_P(HeatGlobalOfFullTiles, UsesNoSharedMemory) {
  EXPECT_THAT(CallOnce(), CounterWithin(Counter::kSharedWavefronts, 0)
                              .WithHint("let each thread of heat_global load what it needs from "
                                        "global memory"));
}

// A block that makes the step alone moves the bytes of both grids at least. The busiest block of
// each launch may load and store, together with those of the other launches, those of one grid. A
// tile of 128 x 128 cells moves 0.36 times as many. Without reuse, 18 blocks are enough with
// order 8.
TEST_P(HeatGlobalOfFullTiles, SharesTheWork) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(32 * SectorsOfResults()));
}
TEST_P(HeatSharedOfFullTiles, SharesTheWork) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(32 * SectorsOfResults()));
}

// The sectors of the grid, its frame included, so many times. What usual tiles load, measured with
// orders 2, 4 and 8: filled by a loop over their cells, and by a thread for each result of which
// those at the rim load the halo too, each side on its own, corners included:
//
//     cells      loop               threads at the rim
//     16 x 16    2.07  2.13  2.14   2.78  3.05  3.56
//     32 x 8     1.76  2.01  2.37   2.16  2.56  3.32
//     32 x 16    1.59  1.67  1.78   1.94  2.13  2.49
//     32 x 32    1.50  1.51  1.48   1.84  1.92  2.08
//     64 x 64    1.33  1.29  1.20   1.53  1.55  1.60
//
// The sectors at both ends of a row hold a cell or two of the halo; that makes a fill at the rim so
// dear, and it is a right one. With orders 2 and 4 any of these tiles will do. Who shares rows
// alone loads 3.3 and more with order 2, who shares nothing 6. A wide halo needs a larger tile:
// with order 8 one of 32 x 32 cells will do however it is filled, one of 32 x 16 if filled by a
// loop.
TEST_P(HeatSharedOfFullTiles, LoadsEachCellOnce) {
  const double sectors_of_grid = cells() * static_cast<double>(sizeof(float)) / 32;
  const double times = GetParam().order == 8 ? 2.1 : 3.1;
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(times, {sectors_of_grid, "to load each cell once"}));
}

// Keeping 32 cells in shared memory takes a wavefront, and so does each term of 32 results. Threads
// at the rim of a tile of 32 x 8 keep its halo with few active lanes: this takes 1.46 times as many
// with order 2. Blocks of 32 x 32 of which the outer threads only load take 1.36 times as many with
// order 8. Rows of 16 cells have bank conflicts and take from 1.9 to 2.5; tiles whose rows lie in
// one bank take 7.
TEST_P(HeatSharedOfFullTiles, AvoidsBankConflicts) {
  const double wavefronts = (Terms() + 1) * GetParam().nx * GetParam().ny / 32;
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(1.5, {wavefronts, kKeptAndRead}));
}

// The shapes are a single cell and single rows; tiles of 16, 32 and 64 cells, and one more or less;
// primes; and more columns than a block has threads.
constexpr std::pair<int, int> kShapes[] = {{1, 1},    {1, 37},   {37, 1},  {32, 32},  {31, 33},
                                           {33, 31},  {65, 63},  {63, 65}, {128, 64}, {97, 211},
                                           {211, 97}, {1031, 5}, {2000, 5}};

// The shapes are multiples of every usual tile, so that no tile is cut off: one shape with each
// order.
std::vector<Plate> FullTiles() {
  const auto shapes = DrawnFrom<std::pair<int, int>>(
      "graded", 1, {{384, 256}, {256, 384}, {512, 192}, {320, 320}, {448, 256}});
  const auto [nx, ny] = shapes.front();
  return {{2, nx, ny}, {4, nx, ny}, {8, nx, ny}};
}

std::vector<Plate> Plates() {
  std::vector<Plate> plates{{2, 3, 66'000}};  // more rows than a grid may have blocks in y
  for (const int order : {2, 4, 8}) {
    for (const auto& [nx, ny] : kShapes) plates.push_back({order, nx, ny});
  }
  // This shape is larger than all others.
  plates.push_back(
      {DrawnNumber("order", 1, 2) * 2, DrawnNumber("nx", 340, 380), DrawnNumber("ny", 345, 375)});
  return Joined(plates, FullTiles());
}

INSTANTIATE_TEST_SUITE_P(Plates, HeatGlobal, testing::ValuesIn(Plates()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Plates, HeatShared, testing::ValuesIn(Plates()), CaseNames());

const auto kInSteps = Values(Plate{2, 45, 27}, Plate{4, 45, 27}, Plate{8, 45, 27});

INSTANTIATE_TEST_SUITE_P(Plates, HeatGlobalInSteps, kInSteps, CaseNames("steps_of_"));
INSTANTIATE_TEST_SUITE_P(Plates, HeatSharedInSteps, kInSteps, CaseNames("steps_of_"));

INSTANTIATE_TEST_SUITE_P(Plates, HeatGlobalOfFullTiles, testing::ValuesIn(FullTiles()),
                         CaseNames());
INSTANTIATE_TEST_SUITE_P(Plates, HeatSharedOfFullTiles, testing::ValuesIn(FullTiles()),
                         CaseNames());

}  // namespace

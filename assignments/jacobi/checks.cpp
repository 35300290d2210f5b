#include "checks/checks.h"

#include <cmath>

#include "expected.h"
#include "jacobi.h"

namespace {

using jacobi_checks::Changes;
using jacobi_checks::Field;
using jacobi_checks::Iterate;
using jacobi_checks::Solve;
using testing::Le;
using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::BytesOnTheDevice;
using warpcheck::BytesToHost;
using warpcheck::CaseNames;
using warpcheck::Described;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::GlobalLoadsWithin;
using warpcheck::GlobalStoresWithin;
using warpcheck::HostArray;
using warpcheck::InSomeCases;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::KernelLaunches;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::StoredBytesWithin;
using warpcheck::Trial;
using warpcheck::UnitOf;
using warpcheck::WaitsForTheDeviceAtMost;
using warpcheck::WithinErrors;

// Says what is on the plate before the first iteration. All but kFull and kChecks are multiples of
// a unit, of at most three bits and a sign. So 9 iterations are exact in a float, in every order of
// additions: each adds two bits. In a part of the calls (Assignment::Kind), kNoise, kHot and kCold
// have all digits too.
enum class Start {
  kNoise,   // any numbers
  kHot,     // a plate that is nowhere colder than its edge: all changes are negative at first
  kCold,    // the same with the other sign
  kSpot,    // one point is not zero
  kCorner,  // one point beside a corner of the plate is not zero
  kLast,    // the last point inside the edge is not zero
  kFlat,    // a slope, which no iteration changes
  kFull,    // numbers of full precision, with a tolerance between two changes
  kChecks   // the same, but neighbours have different signs: the changes become small slowly
};

// Says why the last iteration is the last one.
enum class Stop {
  kEqual,  // its change equals the tolerance
  kBelow,  // the change of the iteration before is greater than the tolerance by its last bit alone
  kLimit   // it has the number max_iterations, and its change exceeds the tolerance
};

constexpr const char* kStarts[] = {"noise", "hot",  "cold", "spot",  "corner",
                                   "last",  "flat", "full", "checks"};
constexpr const char* kStops[] = {"equal", "below", "limit"};
constexpr int kMostExact = 9;  // iterations
constexpr int kBefore = 99;    // what is in *iterations before the call

struct Plate {
  int width;
  int height;
  Start start;
  Stop stop;
  int iterations;

  int points() const { return width * height; }
  double inner() const { return static_cast<double>(width - 2) * (height - 2); }
  int most() const {
    if (stop == Stop::kLimit) return iterations;
    return start >= Start::kFull ? 2 * iterations : kMostExact;
  }
};

void PrintTo(const Plate& plate, std::ostream* out) {
  *out << plate.width << 'x' << plate.height << '_' << kStarts[static_cast<int>(plate.start)] << '_'
       << kStops[static_cast<int>(plate.stop)] << '_' << plate.iterations;
}

constexpr float kHottest = 1 << 20;
constexpr int kMostIterations = 100;

const Promised<&jacobi> kPromised(  // NOLINT(cert-err58-cpp)
    {InSomeCases(Reals("u", -kHottest, kHottest)), Integers("width", 3, 2000),
     Integers("height", 3, 70'000), Described("tolerance", "at least 0"),
     Integers("max_iterations", 1, kMostIterations), Output("iterations")},
    {{{"width", "height"}, 210'000}});

class Jacobi : public warpcheck::AssignmentOver<Plate> {
 protected:
  Plan Perform() override {
    const Plate& plate = GetParam();
    const auto [u, tolerance] = StartOf(plate);
    const warpcheck::Extents extents = {static_cast<std::size_t>(plate.height),
                                        static_cast<std::size_t>(plate.width)};
    return MakePlan<&jacobi>(Updated(u, extents), plate.width, plate.height, tolerance,
                             plate.most(), HostArray<int>{{kBefore}});
  }

  // The limit allows for a single thread, and for blocks that wait for each other.
  warpcheck::CallLimits Limits() const override {
    const auto work = static_cast<std::uint64_t>(GetParam().points()) *
                      static_cast<std::uint64_t>(GetParam().most());
    return {.instructions = 1'000'000 + 100 * work};
  }

  // Returns the field before a call.
  static Field Before(const Trial& trial) {
    const std::vector<float> u = trial.Before<float>(0).data;
    return {trial.Number<int>(0), trial.Number<int>(1), {u.begin(), u.end()}};
  }
  static float Tolerance(const Trial& trial) { return trial.Number<float>(0); }
  static int Most(const Trial& trial) { return trial.Number<int>(2); }

 private:
  int OneOf(int count) { return RandomInts(1, 0, count - 1).front(); }

  bool HasAllDigits(const Plate& plate) {
    const bool may_have =
        plate.start == Start::kNoise || plate.start == Start::kHot || plate.start == Start::kCold;
    return plate.start >= Start::kFull || (may_have && Kind().all_digits);
  }

  // Draws a field and a tolerance that lead to the wanted number of iterations.
  std::pair<std::vector<float>, float> StartOf(const Plate& plate) {
    for (int attempt = 0; attempt < 200; ++attempt) {
      const std::vector<float> u = Scaled(DrawnField(plate));
      Field field{plate.width, plate.height, {u.begin(), u.end()}};
      const float tolerance = ToleranceFor(plate, u, Changes(field, plate.iterations));
      if (tolerance < 0 || Solve(field, tolerance, plate.most()) != plate.iterations) continue;
      return {u, tolerance};
    }
    WARPCHECK_CHECK(false, "no field of this plate leads to so many iterations");
    return {};
  }

  // Multiplies the numbers by a power of two, so that the hottest one is as hot as the promise and
  // Kind() allow.
  std::vector<float> Scaled(std::vector<float> u) {
    const double most = MostOf(u);
    if (most == 0) return u;
    const int power = std::ilogb(kHottest / most) + Kind().exponent;
    for (float& point : u) point = std::ldexp(point, power);
    return u;
  }

  std::vector<float> DrawnField(const Plate& plate) {
    if (HasAllDigits(plate)) return FieldWithAllDigits(plate);
    std::vector<float> u(static_cast<std::size_t>(plate.points()));
    if (plate.start == Start::kNoise) {
      const std::vector<int> numbers = RandomInts(u.size(), -8, 7);
      return {numbers.begin(), numbers.end()};
    }
    const Field places{plate.width, plate.height, {}};
    if (plate.start == Start::kSpot || plate.start == Start::kCorner ||
        plate.start == Start::kLast) {
      const auto place = [&](int size) {
        if (plate.start == Start::kLast) return size - 2;
        return 1 + (plate.start == Start::kCorner ? OneOf(2) * (size - 3) : OneOf(size - 2));
      };
      u[places.At(place(plate.width), place(plate.height))] = OneOf(2) == 0 ? 8.0F : -8.0F;
      return u;
    }
    const std::vector<int> edge = RandomInts(u.size(), -8, 6);
    const int sign = plate.start == Start::kCold ? -1 : 1;
    const int along[] = {OneOf(7) - 3, 1 + OneOf(3)};
    for (int y = 0; y < plate.height; ++y) {
      for (int x = 0; x < plate.width; ++x) {
        const std::size_t i = places.At(x, y);
        const bool inner = x > 0 && y > 0 && x + 1 < plate.width && y + 1 < plate.height;
        const int number = plate.start == Start::kFlat ? along[0] * x + along[1] * y
                                                       : sign * (inner ? 7 : edge[i]);
        u[i] = static_cast<float>(number);
      }
    }
    return u;
  }

  std::vector<float> FieldWithAllDigits(const Plate& plate) {
    std::vector<float> u = RandomFloats(plate.points());
    const Field places{plate.width, plate.height, {}};
    for (int y = 0; y < plate.height; ++y) {
      for (int x = 0; x < plate.width; ++x) {
        float& point = u[places.At(x, y)];
        const bool inner = x > 0 && y > 0 && x + 1 < plate.width && y + 1 < plate.height;
        if (plate.start == Start::kChecks) {
          point = std::copysign(0.5F + std::abs(point) / 2, (x + y) % 2 == 0 ? 1.0F : -1.0F);
        } else if (inner && plate.start == Start::kHot) {
          point = 0.75F + std::abs(point) / 4;
        } else if (inner && plate.start == Start::kCold) {
          point = -0.75F - std::abs(point) / 4;
        }
      }
    }
    return u;
  }

  // `changes` has the change of each iteration, for plate.iterations iterations. The changes never
  // grow, because the mean of four numbers is at most as large as the largest of them. Returns a
  // negative number if there is no tolerance.
  static float ToleranceFor(const Plate& plate, const std::vector<float>& u,
                            const std::vector<double>& changes) {
    if (plate.start == Start::kFlat) return 0;
    const double last = changes.back();
    const double bound = plate.stop == Stop::kBelow ? *(changes.end() - 2) : last;
    const double error = RoundingError(u, plate.iterations);
    if (error == 0) {
      const auto exact = static_cast<float>(bound);
      return plate.stop == Stop::kEqual ? exact : std::nextafter(exact, -1.0F);
    }
    // Changes differ from the tolerance by far more than rounding errors.
    const double far = 16 * error;
    if (plate.stop == Stop::kLimit) return static_cast<float>(last - far);
    const double before = changes.size() > 1 ? *(changes.end() - 2) : last + 2 * far;
    return before - last < far ? -1.0F : static_cast<float>((before + last) / 2);
  }

 protected:
  // A program that stops too early or too late can still be right in each of its iterations.
  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    const Trial& trial = CallOnce();
    Field field = Before(trial);
    const int wanted = Solve(field, Tolerance(trial), Most(trial));
    const int got = trial.HostOutput<int>().data.front();
    if (got != wanted) {
      ADD_FAILURE() << "*iterations is " << got << ", and must be " << wanted
                    << ": the tolerance is " << Tolerance(trial) << ", the change of iteration "
                    << wanted << " is " << static_cast<float>(field.change)
                    << (field.change <= Tolerance(trial) ? ", and all changes before are greater"
                                                         : ", and no more iterations are allowed");
      if (got < 1 || got > Most(trial)) return;
      field = Before(trial);
      for (int i = 0; i < got; ++i) Iterate(field);
    }
    const double error = RoundingError(trial.Before<float>(0).data, got);
    std::vector<Approximation> expected;
    for (const double point : field.points) expected.push_back({point, error});
    EXPECT_THAT(trial.Output<float>(), WithinErrors<float>(expected));
  }

  static double MostOf(const std::vector<float>& u) {
    double most = 0;
    for (const float point : u) most = std::max(most, std::abs(double{point}));
    return most;
  }

  // Returns how far points may be off after so many iterations. If a float represents the sums of
  // all of them, they are exact: each iteration adds two bits, and so does the sum of four points.
  // Otherwise each adds the errors of two levels of additions, or of three in a row, to the mean of
  // the errors before. Sums are up to four times as large as points, and are divided by 4.
  static double RoundingError(const std::vector<float>& u, int iterations) {
    const double most = MostOf(u);
    if (std::ldexp(most, 2 * iterations + 2) <= 0x1p24 * UnitOf(u)) return 0;
    return most * iterations * warpcheck::RoundingBound(3);
  }
};

TEST_P(Jacobi, IsRight) { ExpectRight(); }

// The most iterations that the handout promises.
class LongestJacobi : public warpcheck::Once<Jacobi> {};

TEST_P(LongestJacobi, IsRight) { ExpectRight(); }

TEST_P(Jacobi, StaysInsideThePlate) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// On a large plate, whose number of iterations is known.
class LargeJacobi : public Jacobi {
 protected:
  int iterations() const { return GetParam().iterations; }
  // The number of points that all iterations compute.
  double Points() const { return iterations() * GetParam().inner(); }
};

// Each point has four neighbours and its own temperature, so that 32 points load 20 sectors. The
// neighbours to both sides of 32 points do not begin at a sector, which makes 23 of it, or 24 if
// the threads begin at the first inner column. A second kernel that loads the changes again makes
// 28 of it. A warp along a column makes 160 of it, and so does a single thread. With a tile in
// shared memory 6 are enough. Stores have no more than this: 4 sectors, or 5 if the threads begin
// at the first inner column, and one for an atomic.
TEST_P(LargeJacobi, CoalescesGlobalMemory) {
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(1.5, {5 * Points() / 8,
                                                  "to load each point and its four "
                                                  "neighbours in each iteration"}));
  EXPECT_THAT(CallOnce(),
              GlobalStoresWithin(3, {Points() / 8, "to store each point in each iteration"}));
}

// The busiest block of each launch may load and store, together with those of the other launches, a
// sixteenth of the bytes that a point, its neighbours and its result have. So launches that move
// all points share them among at least 16 blocks with work, and one block may reduce what many
// others found. The bytes are those of single threads, whether accesses are coalesced or not. A
// kernel that loads each point only once moves a third of these bytes: then 6 blocks are enough.
TEST_P(LargeJacobi, SharesTheWork) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(6 * sizeof(float) * Points() / 16));
}

// A float and a flag for each iteration would be 8 bytes. The field has hundreds of thousands.
TEST_P(LargeJacobi, FindsTheChangeOnTheDevice) {
  EXPECT_THAT(CallOnce(), BytesToHost(Le(64u * static_cast<unsigned>(iterations()))))
      << "let kernels find the largest change, and copy that number alone";
}

// One number for each point. A block that updates the largest change once adds nearly nothing,
// also if each of its warps does so: 1.03 times. An update by each point doubles this number, and
// so does an array of changes, or a kernel that copies the field back.
TEST_P(LargeJacobi, StoresEachPointOnce) {
  EXPECT_THAT(CallOnce(), StoredBytesWithin(1.5, {sizeof(float) * Points(),
                                                  "to store each point in each iteration"}));
}

// The field may be copied twice before the first iteration, by programs with three fields, and once
// after the last. There are five iterations or six.
TEST_P(LargeJacobi, TakesTurns) {
  const double field = double{sizeof(float)} * GetParam().points();
  EXPECT_THAT(CallOnce(), BytesOnTheDevice(Le(static_cast<std::uint64_t>(3.5 * field))));
}

// A kernel, one or two that finish the reduction, and one that sets it back. A cooperative launch
// makes all iterations at once.
TEST_P(LargeJacobi, AsksOnceAnIteration) {
  EXPECT_THAT(CallOnce(), KernelLaunches(Le(4u * static_cast<unsigned>(iterations()) + 4)));
  EXPECT_THAT(CallOnce(), WaitsForTheDeviceAtMost(static_cast<unsigned>(iterations()) + 2));
}

// The shapes are such that rows begin at sectors.
std::vector<Plate> Graded() {
  const auto shapes = DrawnFrom<std::pair<int, int>>(
      "graded", 1, {{512, 66}, {256, 130}, {1024, 34}, {384, 82}, {768, 50}});
  const auto [width, height] = shapes.front();
  return {{width, height, Start::kNoise, Stop::kEqual, DrawnNumber("iterations", 5, 6)}};
}

std::vector<Plate> Plates() {
  using enum Start;
  using enum Stop;
  const std::vector<Plate> plates = {
      {3, 3, kSpot, kBelow, 2},      // a single point
      {3, 3, kNoise, kLimit, 1},     //
      {3, 40, kNoise, kBelow, 4},    // a column
      {70, 3, kNoise, kEqual, 5},    // a row
      {4, 5, kFlat, kEqual, 1},      // done at once
      {34, 34, kCorner, kBelow, 2},  // tiles of 32 x 32 and of 16 x 16, one less and one more
      {33, 35, kHot, kEqual, 4},     //
      {35, 33, kCold, kBelow, 5},    //
      {18, 18, kSpot, kEqual, 1},    //
      {66, 18, kNoise, kLimit, 4},   // ends by the limit, after an even and an odd number
      {19, 67, kNoise, kLimit, 7},   //
      {100, 37, kFlat, kEqual, 1},   //
      {37, 100, kHot, kBelow, 3},    //
      {131, 23, kCorner, kBelow, 2},
      {23, 131, kCorner, kBelow, 2},
      {258, 10, kSpot, kBelow, 2},
      {67, 131, kCold, kEqual, 6},
      {131, 67, kCorner, kEqual, 3},
      {41, 29, kFull, kEqual, 15},
      {29, 53, kFull, kLimit, 12},
      {1031, 5, kSpot, kBelow, 2},    // more columns than a block has
                                      // threads
      {2000, 5, kSpot, kBelow, 2},    //
      {3, 70'000, kNoise, kLimit, 1}  // more rows than a grid may have blocks in y
  };
  // The largest change is that of one lane and one row. A reduction that leaves out this lane finds
  // a smaller one. The lanes are those beside which a tree of half the lanes in each step may end.
  std::vector<Plate> last_points;
  int height = 14;
  for (const int width : {4, 5, 6, 9, 10, 11, 17, 18, 19, 32, 33, 34}) {
    last_points.push_back({width, height--, kLast, kBelow, 2});
  }
  // The last thread of a block of 32 x 8 and of 16 x 16, which begins at the edge or inside it.
  for (const auto& [columns, rows] : {std::pair(33, 9), {34, 10}, {17, 17}, {18, 18}}) {
    last_points.push_back({columns, rows, kLast, kBelow, 2});
  }
  const Plate largest{DrawnNumber("width", 320, 350), DrawnNumber("height", 118, 130), kSpot,
                      kBelow, 2};
  return Joined(Joined(Joined(plates, last_points), {largest}), Graded());
}

INSTANTIATE_TEST_SUITE_P(Plates, Jacobi, ValuesIn(Plates()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Plates, LongestJacobi,
                         testing::Values(Plate{61, 43, Start::kChecks, Stop::kLimit,
                                               kMostIterations}),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Plates, LargeJacobi, ValuesIn(Graded()), CaseNames());

}  // namespace

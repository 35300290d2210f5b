#include "checks/checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "rotate.h"

namespace {

using testing::Ge;
using testing::Le;
using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::Counter;
using warpcheck::CounterThat;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::EqualsAsNumbers;
using warpcheck::GlobalStoresWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::kPlain;
using warpcheck::LaunchedThreads;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::PointerLoadsWithin;
using warpcheck::Promised;
using warpcheck::Reals;
using warpcheck::ReleasesEverything;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::TextureFetchesWithin;
using warpcheck::Trial;
using warpcheck::Values;
using warpcheck::WithinErrors;

constexpr char kFetchHint[] =
    "make a texture object over a copy of the image, and fetch each pixel by tex2D()";

// Threads for each pixel. One is enough; blocks that are larger than the image in one direction, of
// up to 512 threads for the 64 pixels of a row, have a few that find no pixel.
constexpr std::uint64_t kMostThreads = 8;

constexpr float kMost = 1000;
constexpr int kLongestSide = 10'000;
constexpr int kLongestShift = 10'000;
constexpr std::int64_t kMostPixels = 140'000;

const Promised<&rotate> kRotatePromised(  // NOLINT(cert-err58-cpp)
    {Reals("in", -kMost, kMost), Output("out"), Integers("width", 1, kLongestSide),
     Integers("height", 1, 2000), Reals("cosine", -1, 1), Reals("sine", -1, 1)},
    {{{"width", "height"}, kMostPixels}});
const Promised<&shift_copy> kShiftPromised(  // NOLINT(cert-err58-cpp)
    {Reals("in", -kMost, kMost), Output("out"), Integers("width", 1, kLongestSide),
     Integers("height", 1, 2000), Integers("dx", -kLongestShift, kLongestShift),
     Integers("dy", -kLongestShift, kLongestShift)},
    {{{"width", "height"}, kMostPixels}});

struct Turn {
  int width;
  int height;
  int degrees;  // from 0 to 359: a multiple of a right angle, or about the angle
};

void PrintTo(const Turn& turn, std::ostream* out) {
  *out << turn.width << 'x' << turn.height << "_by_" << turn.degrees << "_degrees";
}

struct Shift {
  int width;
  int height;
  int dx;
  int dy;
};

std::string Signed(int number) {
  return (number < 0 ? "minus_" : "") + std::to_string(std::abs(number));
}

void PrintTo(const Shift& shift, std::ostream* out) {
  *out << shift.width << 'x' << shift.height << "_by_" << Signed(shift.dx) << "_and_"
       << Signed(shift.dy);
}

// Returns the cosine and the sine of the angle and a part of a degree, which are exact for
// multiples of a right angle. There `part` does not count.
std::pair<float, float> Direction(int degrees, double part) {
  constexpr std::array<float, 5> kSines = {0, 1, 0, -1, 0};
  const auto quarter = static_cast<std::size_t>(degrees / 90);
  if (degrees % 90 == 0) return {kSines[quarter + 1], kSines[quarter]};
  const double radians = (degrees + part) * std::numbers::pi / 180;
  return {static_cast<float>(std::cos(radians)), static_cast<float>(std::sin(radians))};
}

struct Point {
  double x;
  double y;
};

// Says where the pixels of a turned image come from.
struct Source {
  int width;
  int height;
  double cosine;
  double sine;

  Point Of(int x, int y) const {
    const Point centre = {(width - 1) / 2.0, (height - 1) / 2.0};
    const Point from = {x - centre.x, y - centre.y};
    return {centre.x + cosine * from.x - sine * from.y, centre.y + sine * from.x + cosine * from.y};
  }
};

class Picture {
 public:
  Picture(std::vector<float> pixels, int width, int height)
      : pixels_(std::move(pixels)), width_(width), height_(height) {}

  // Returns a pixel, or 0 outside the picture.
  double At(int x, int y) const {
    if (x < 0 || x >= width_ || y < 0 || y >= height_) return 0;
    return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(x)];
  }

  float Nearest(int x, int y) const {
    return static_cast<float>(At(std::clamp(x, 0, width_ - 1), std::clamp(y, 0, height_ - 1)));
  }

  // Returns the interpolated value, with the error that the texture unit may make. Its coordinates
  // are rounded to 1/256 of a pixel, and so is the product of two weights. Each rounding is off by
  // 1/512 at most. A coordinate's rounding changes the value by at most 1/512 of the difference
  // between neighbours, and the product's by at most 2/512 of it: 1/128 in all. Before that, the
  // coordinates are the result of a few roundings of float.
  Approximation Between(const Point& at) const {
    constexpr double kWeights = 1.0 / 128;
    constexpr double kRoundings = 8 * 0x1p-24;
    constexpr double kNear = 1.0 / 256;  // the neighbours of the next square may count as well
    const int left = Floor(at.x);
    const int top = Floor(at.y);
    const double u = at.x - left;
    const double v = at.y - top;
    const double value = (1 - v) * ((1 - u) * At(left, top) + u * At(left + 1, top)) +
                         v * ((1 - u) * At(left, top + 1) + u * At(left + 1, top + 1));
    double least = At(left, top);
    double most = least;
    for (int y = Floor(at.y - kNear); y <= Floor(at.y + kNear) + 1; ++y) {
      for (int x = Floor(at.x - kNear); x <= Floor(at.x + kNear) + 1; ++x) {
        least = std::min(least, At(x, y));
        most = std::max(most, At(x, y));
      }
    }
    const double share = kWeights + 2 * kRoundings * (width_ + height_);
    return {
        .value = value,
        .error = share * (most - least) + kRoundings * std::max(std::abs(least), std::abs(most))};
  }

 private:
  static int Floor(double value) { return static_cast<int>(std::floor(value)); }

  std::vector<float> pixels_;
  int width_;
  int height_;
};

// In every second field of 7 x 5 pixels, neighbours have nothing to do with each other, so that a
// wrong place or weight is seen. In the other fields all pixels are equal, so that their value must
// come out exactly: it shows pixels of less precision.
std::vector<float> WithFields(std::vector<float> pixels, int width) {
  constexpr int kWidth = 7;
  constexpr int kHeight = 5;
  const int height = static_cast<int>(pixels.size()) / width;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if ((x / kWidth + y / kHeight) % 2 == 0) continue;
      const int here = y * width + x;
      const int first = y / kHeight * kHeight * width + x / kWidth * kWidth;
      pixels[static_cast<std::size_t>(here)] = pixels[static_cast<std::size_t>(first)];
    }
  }
  return pixels;
}

// The limit allows for a single thread that computes one pixel after the other.
warpcheck::CallLimits LimitsFor(int width, int height) {
  return {.instructions = 1'000'000 + 200 * static_cast<std::uint64_t>(width) *
                                          static_cast<std::uint64_t>(height)};
}

// OfImage has what the tests of both functions over an image share. A Change is a Turn or a Shift.
template <class Change>
class OfImage : public warpcheck::AssignmentOver<Change> {
 protected:
  int width() const { return this->GetParam().width; }
  int height() const { return this->GetParam().height; }
  std::uint64_t pixels() const {
    return static_cast<std::uint64_t>(width()) * static_cast<std::uint64_t>(height());
  }
  double Warps() const { return static_cast<double>(pixels()) / 32.0; }
  // Returns the bytes that are moved if each pixel is fetched once and stored once.
  double Bytes() const { return 2.0 * sizeof(float) * static_cast<double>(pixels()); }

  warpcheck::CallLimits Limits() const override { return LimitsFor(width(), height()); }
};

class Rotation : public OfImage<Turn> {
 protected:
  Plan Perform() override {
    const double part = RandomFloats(1, -0.45F, 0.45F, kPlain).front();
    const auto [cosine, sine] = Direction(GetParam().degrees, part);
    const auto in = Upload(WithFields(RandomFloats(width() * height(), -kMost, kMost), width()),
                           warpcheck::ExtentsOf(height(), width()));
    return MakePlan<&rotate>(in, Unwritten<float>(height(), width()), width(), height(), cosine,
                             sine);
  }
};

std::vector<Approximation> Turned(const Trial& call) {
  const Source source = {call.Number<int>(0), call.Number<int>(1), call.Number<float>(0),
                         call.Number<float>(1)};
  const Picture picture(call.Before<float>(0).data, source.width, source.height);
  std::vector<Approximation> pixels;
  for (int y = 0; y < source.height; ++y) {
    for (int x = 0; x < source.width; ++x) pixels.push_back(picture.Between(source.Of(x, y)));
  }
  return pixels;
}

TEST_P(Rotation, TurnsEveryPixel) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(Turned(CallOnce())));
}

TEST_P(Rotation, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

TEST_P(Rotation, ReleasesWhatItAllocates) { EXPECT_THAT(CallOnce(), ReleasesEverything()); }

// The graded images have rows of whole sectors.
class LargeRotation : public Rotation {
 protected:
  // Returns the sectors that the fetches of four neighbours of a row look up in a CUDA array,
  // summed over the image (docs/counters.md, "Textures"). Such a sector has four pixels of two
  // rows.
  double SectorsOfRows() {
    constexpr int kLanes = 4;
    const Trial& call = CallOnce();
    const Source source = {width(), height(), call.Number<float>(0), call.Number<float>(1)};
    double sectors = 0;
    for (int y = 0; y < height(); ++y) {
      for (int first = 0; first < width(); first += kLanes) {
        std::set<std::pair<int, int>> touched;
        for (int x = first; x < first + kLanes; ++x) {
          const Point at = source.Of(x, y);
          const int left = static_cast<int>(std::floor(at.x));
          const int top = static_cast<int>(std::floor(at.y));
          for (const int column : {left, left + 1}) {
            for (const int row : {top, top + 1}) {
              touched.emplace(std::clamp(column, 0, width() - 1) / 4,
                              std::clamp(row, 0, height() - 1) / 2);
            }
          }
        }
        sectors += static_cast<double>(touched.size());
      }
    }
    return sectors;
  }
};

// A warp that fetches once for each of its pixels makes one request for 32 pixels. A program that
// reads the image by pointers makes no request, but loads at least 1 sector for each 8 pixels.
// Stores by columns take 8 times the sectors.
TEST_P(LargeRotation, FetchesEveryPixel) {
  EXPECT_THAT(CallOnce(), CounterThat(Counter::kTextureRequests, Ge(Warps())).WithHint(kFetchHint));
  EXPECT_THAT(
      CallOnce(),
      PointerLoadsWithin(0.1, {4 * Warps(), "to load each pixel once"}).WithHint(kFetchHint));
  EXPECT_THAT(CallOnce(), GlobalStoresWithin(1.1).WithoutCopies());
}

class RotationOfManyPixels : public Rotation {};

// The busiest block of each launch may fetch and store, together with those of the other launches,
// a quarter of the bytes of both images, if a pixel is fetched once for each result.
TEST_P(RotationOfManyPixels, SharesThePixels) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(Bytes() / 4));
}

// At the graded angles, pitched memory takes 1.4 to 1.5 times the sectors of a CUDA array, and four
// fetches of the nearest pixel take more than twice as many. Squares of 2 x 2 neighbouring lanes
// take 0.8 times.
TEST_P(LargeRotation, LooksUpFewSectors) {
  EXPECT_THAT(CallOnce(), TextureFetchesWithin(1.2, {SectorsOfRows(),
                                                     "to fetch neighbours of a row from a "
                                                     "CUDA array, once each"}));
  EXPECT_THAT(CallOnce(), LaunchedThreads(Le(kMostThreads * pixels())));
}

class Shifting : public OfImage<Shift> {
 protected:
  Plan Perform() override {
    const auto in = Upload(RandomFloats(width() * height(), -kMost, kMost),
                           warpcheck::ExtentsOf(height(), width()));
    return MakePlan<&shift_copy>(in, Unwritten<float>(height(), width()), width(), height(),
                                 GetParam().dx, GetParam().dy);
  }
};

TEST_P(Shifting, ShiftsEveryPixel) {
  ASSERT_THAT(CallOnce(), RunsCleanly());
  ASSERT_THAT(CallOnce(), LaunchesAKernel());
  const int width = CallOnce().Number<int>(0);
  const int height = CallOnce().Number<int>(1);
  const Picture picture(CallOnce().Before<float>(0).data, width, height);
  Values<float> expected = CallOnce().Output<float>();
  auto pixel = expected.data.begin();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      *pixel++ = picture.Nearest(x - CallOnce().Number<int>(2), y - CallOnce().Number<int>(3));
    }
  }
  EXPECT_THAT(CallOnce().Output<float>(), EqualsAsNumbers(expected));
}

TEST_P(Shifting, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

TEST_P(Shifting, ReleasesWhatItAllocates) { EXPECT_THAT(CallOnce(), ReleasesEverything()); }

class LargeShifting : public Shifting {};

// Four pixels of a row lie in two sectors at most. Squares of 2 x 2 pixels in pitched memory take
// 1.25 times as many, warps of 8 x 4 pixels in a CUDA array up to 1.44 times, and fetching twice
// takes 2 times. One gather can fetch four pixels.
TEST_P(LargeShifting, FetchesEveryPixel) {
  EXPECT_THAT(CallOnce(),
              CounterThat(Counter::kTextureRequests, Ge(Warps() / 4)).WithHint(kFetchHint));
  EXPECT_THAT(
      CallOnce(),
      PointerLoadsWithin(0.1, {4 * Warps(), "to load each pixel once"}).WithHint(kFetchHint));
  EXPECT_THAT(CallOnce(),
              TextureFetchesWithin(1.6, {16 * Warps(), "to fetch neighbours of a row, once each"}));
  EXPECT_THAT(CallOnce(), GlobalStoresWithin(1.1).WithoutCopies());
  EXPECT_THAT(CallOnce(), LaunchedThreads(Le(kMostThreads * pixels())));
}

class ShiftingOfManyPixels : public Shifting {};

// The bound is that of RotationOfManyPixels.
TEST_P(ShiftingOfManyPixels, SharesThePixels) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(Bytes() / 4));
}

// Rows of these images are whole sectors, and their slopes are steep.
std::vector<Turn> Graded() {
  return DrawnFrom("graded", 2,
                   std::vector<Turn>{{96, 128, 60}, {128, 96, 70}, {160, 64, 110}, {64, 160, 120}});
}

Turn LargeTurn() { return {DrawnNumber("width", 170, 190), DrawnNumber("height", 165, 180), 25}; }

// One pixel; one row and one column; multiples of a right angle, with which pixels meet pixels or
// the middle between them; around blocks of 16 and 32; wide and tall; and one that is larger than
// all others.
std::vector<Turn> Turns() {
  const std::vector<Turn> turns = {
      {1, 1, 30},   {40, 1, 20},   {1, 40, 90},   {3, 2, 90},   {32, 16, 0},     {33, 17, 270},
      {31, 33, 30}, {16, 48, 180}, {70, 35, 315}, {7, 90, 200}, {60, 2000, 340}, {10'000, 13, 3},
  };
  return Joined(Joined(turns, Graded()), {LargeTurn()});
}

std::vector<Shift> GradedShifts() {
  return DrawnFrom("graded shift", 1,
                   std::vector<Shift>{{96, 128, 5, -3}, {128, 96, -6, 2}, {160, 64, 7, 9}});
}

Shift LargeShift() {
  return {DrawnNumber("width", 170, 190), DrawnNumber("height", 165, 180), -11, 13};
}

// Not at all; in each direction; far, and farther than the image. The widest one needs more than
// 1024 blocks of 16 x 16, so that a block cannot have a thread for each of them.
std::vector<Shift> Shifts() {
  const int dx = DrawnNumber("dx", 0, 1) == 0 ? 9000 : -9000;
  const int dy = DrawnNumber("dy", 0, 1) == 0 ? 1500 : -1500;
  const std::vector<Shift> shifts = {
      {1, 1, 1, -1},       {40, 1, -7, 3},           {1, 40, 2, 5},
      {17, 33, 0, 0},      {33, 31, 4, -9},          {48, 16, 60, 1},
      {65, 30, -2, -1000}, {8193, 17, 3, -2},        {10'000, 3, dx, 1},
      {60, 2000, 1, dy},   {16, 9, 10'000, -10'000}, {9, 16, -10'000, 10'000},
  };
  return Joined(Joined(shifts, GradedShifts()), {LargeShift()});
}

INSTANTIATE_TEST_SUITE_P(Turns, Rotation, ValuesIn(Turns()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Turns, LargeRotation, ValuesIn(Graded()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shifts, Shifting, ValuesIn(Shifts()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shifts, LargeShifting, ValuesIn(GradedShifts()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Turns, RotationOfManyPixels, testing::Values(LargeTurn()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shifts, ShiftingOfManyPixels, testing::Values(LargeShift()), CaseNames());

}  // namespace

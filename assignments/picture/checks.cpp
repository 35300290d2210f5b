#include "checks/checks.h"

#include "picture.h"

namespace {

using testing::Values;
using testing::ValuesIn;
using warpcheck::AnyReals;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnNumber;
using warpcheck::Integers;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::RanAKernel;
using warpcheck::RunsCleanly;
using warpcheck::StaysInBounds;
using warpcheck::WithinUlps;

struct Size {
  int width;
  int height;
};

void PrintTo(const Size& size, std::ostream* out) { *out << size.width << 'x' << size.height; }

const Promised<&scale_picture> kPromised(  // NOLINT(cert-err58-cpp)
    {AnyReals("in", false), Output("out"), Integers("width", 1, 100'000),
     Integers("height", 1, 100'000)},
    {{{"width", "height"}, 1'000'000}});

class Picture : public warpcheck::AssignmentOver<Size> {
 protected:
  int width() const { return GetParam().width; }
  int height() const { return GetParam().height; }

  Plan Perform() override {
    const auto in = Upload(RandomFloats(width() * height(), -1, 1, warpcheck::kAnyNumber),
                           warpcheck::ExtentsOf(height(), width()));
    const auto out = Unwritten<float>(height(), width());
    return MakePlan<&scale_picture>(in, out, width(), height());
  }

  static warpcheck::Values<float> Doubled(warpcheck::Values<float> pixels) {
    for (float& pixel : pixels.data) pixel *= 2;
    return pixels;
  }

  // The limit allows for a single thread that scales one pixel after the other.
  warpcheck::CallLimits Limits() const override {
    const auto pixels = static_cast<std::uint64_t>(width()) * static_cast<std::uint64_t>(height());
    return {.instructions = 1'000'000 + 100 * pixels};
  }
};

// Doubling a float is exact, so there is one right result; a 0 may have any sign. The inputs have
// no NaN, because it is not defined which NaN a GPU returns. LaunchesLegally judges refused
// launches: a program that repeats a refused launch with a smaller block has scaled every pixel. If
// pixels are wrong, this test shows earlier errors too.
TEST_P(Picture, ScalesEveryPixel) {
  EXPECT_THAT(CallOnce(), LaunchesAKernel());
  EXPECT_THAT(CallOnce().Output<float>(), WithinUlps(0, Doubled(CallOnce().Before<float>(0))));
  if (HasFailure()) {
    EXPECT_THAT(CallOnce(), RunsCleanly());
  }
}

TEST_P(Picture, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// A wrong picture loses only the test above. This test judges launches that leave a right picture
// and errors.
TEST_P(Picture, LaunchesLegally) {
  ASSERT_THAT(CallOnce(), RanAKernel());
  ASSERT_THAT(CallOnce(), RunsCleanly());
  EXPECT_THAT(CallOnce(), LaunchesAKernel());
}

class LargePicture : public Picture {};

// The busiest block of each launch may load and store, together with those of the other launches,
// an eighth of the bytes of both pictures. Accesses to surfaces count too.
TEST_P(LargePicture, IsSharedByBlocks) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(2.0 * width() * height() * sizeof(float) / 8));
}

INSTANTIATE_TEST_SUITE_P(Lecture, Picture, Values(Size{76, 62}), CaseNames());

// The most pixels that the handout promises.
Size Large() {
  const int width = DrawnNumber("width", 901, 1100);
  return {width, 1'000'000 / width};
}

// The sizes are around usual blocks (8, 16 and 32 pixels a side), primes, and pictures that are
// narrow in x or in y. The narrow ones have more than 65,535 rows, or columns: more blocks than a
// grid may have in y, if each block takes one of them. The last is larger than all others.
std::vector<Size> Sizes() {
  return {{1, 1},     {1, 100},    {100, 1},    {7, 9},       {15, 17},     {16, 16},
          {17, 15},   {31, 33},    {32, 32},    {33, 31},     {62, 76},     {211, 97},
          {640, 480}, {3, 70'001}, {70'001, 3}, {3, 100'000}, {100'000, 3}, Large()};
}

INSTANTIATE_TEST_SUITE_P(Sizes, Picture, ValuesIn(Sizes()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Sizes, LargePicture, Values(Large()), CaseNames());

}  // namespace

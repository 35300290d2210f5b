#include "checks/checks.h"

#include <algorithm>
#include <cmath>

#include "convolution.h"

namespace {

using testing::Ge;
using testing::Le;
using testing::ValuesIn;
using warpcheck::Approximation;
using warpcheck::BusiestBlockWithin;
using warpcheck::BytesReadBeforeLaunches;
using warpcheck::CaseNames;
using warpcheck::ConstantReadsWithin;
using warpcheck::Counter;
using warpcheck::CounterThat;
using warpcheck::CounterWithin;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ErrorOfSum;
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
using warpcheck::UnitOf;
using warpcheck::WithinErrors;

struct Image {
  int height;
  int width;
  int radius;
};

void PrintTo(const Image& image, std::ostream* out) {
  *out << image.height << 'x' << image.width << "_radius_" << image.radius;
}

constexpr float kMost = 1 << 20;
constexpr std::int64_t kMostPixels = 100'000;

const Promised<&convolution> kPromised(  // NOLINT(cert-err58-cpp)
    {Reals("in", -kMost, kMost), Reals("mask", -kMost, kMost), Output("out"),
     Integers("height", 1, 10'000), Integers("width", 1, 10'000),
     OneOf("radius", {1, 2, 3, 4, 5, 6, 7})},
    {{{"height", "width"}, kMostPixels}});

// The pixels and weights of a call have all digits, or every order of summation gives the same sum:
// then pixels are multiples of a 64th of the greatest one, and weights of an eighth, so that a
// float represents all sums of 225 products exactly.
class Convolution : public warpcheck::AssignmentOver<Image> {
 protected:
  int height() const { return GetParam().height; }
  int width() const { return GetParam().width; }
  int radius() const { return GetParam().radius; }
  int size() const { return 2 * radius() + 1; }
  int terms() const { return size() * size(); }
  // The number of warps with a pixel of the result for each lane.
  double Warps() const { return height() * width() / 32.0; }

  // Returns numbers with all digits, or multiples of the greatest one divided by `steps`.
  std::vector<float> Numbers(int count, int steps) {
    const DataKind kind = Kind();
    const float most = std::ldexp(kMost, kind.exponent);
    if (kind.all_digits) return RandomFloats(count, -most, most);
    return RandomMultiples(count, most / static_cast<float>(steps), -steps, steps);
  }

  Plan Perform() override {
    const auto in =
        Upload(Numbers(height() * width(), 64), warpcheck::ExtentsOf(height(), width()));
    const auto mask = Upload(Numbers(terms(), 8));
    const auto out = Unwritten<float>(height(), width());
    return MakePlan<&convolution>(in, mask, out, height(), width(), radius());
  }

  // Computes the sums of a call, and their allowed errors. A term is rounded once when it is
  // multiplied, and as often as there are further terms when it is added.
  static std::vector<Approximation> Sums(const Trial& call) {
    const std::vector<float> pixels = call.Before<float>(0).data;
    const std::vector<float> weights = call.Before<float>(1).data;
    const int height = call.Number<int>(0);
    const int width = call.Number<int>(1);
    const int radius = call.Number<int>(2);
    const double unit = UnitOf(pixels) * UnitOf(weights);
    std::vector<Approximation> sums;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        double magnitude = 0;
        auto weight = weights.begin();
        for (int row = y - radius; row <= y + radius; ++row) {
          for (int col = x - radius; col <= x + radius; ++col) {
            const int pixel =
                std::clamp(row, 0, height - 1) * width + std::clamp(col, 0, width - 1);
            const double term = double{*weight++} * pixels[static_cast<std::size_t>(pixel)];
            sum += term;
            magnitude += std::abs(term);
          }
        }
        sums.push_back({.value = sum, .error = ErrorOfSum(magnitude, unit, weights.size())});
      }
    }
    return sums;
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    EXPECT_THAT(CallOnce().Output<float>(), WithinErrors<float>(Sums(CallOnce())));
  }

  // The limit allows for a single thread that computes one sum after the other.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 2'000'000 + 25 * static_cast<std::uint64_t>(terms()) *
                                            static_cast<std::uint64_t>(height()) *
                                            static_cast<std::uint64_t>(width())};
  }
};

TEST_P(Convolution, SumsEveryPixel) { ExpectRight(); }

TEST_P(Convolution, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// The most pixels that the handout promises.
class LargestConvolution : public warpcheck::Once<Convolution> {};

TEST_P(LargestConvolution, SumsEveryPixel) { ExpectRight(); }

// The graded images are full blocks of every usual shape.
class LargeConvolution : public Convolution {
 protected:
  // The sectors that tiles of 16 x 16 pixels load with their halos: in each of their rows four,
  // with every radius from 1 to 7.
  double SectorsOfTiles() const {
    constexpr double kPixelsOfTile = 16 * 16;
    constexpr double kSectorsOfRow = 4;
    return height() * width() / kPixelsOfTile * kSectorsOfRow * (16 + 2 * radius());
  }
};

// The bound is what small tiles need. Blocks of 16 x 16 threads that stride over such a tile touch
// five sectors in each row instead of four: 1.2 times for radius 3, and 1.25 for 7. Blocks of 32 x
// 8 need 1.1 and 1.2, of 32 x 32 0.75 and 0.65, and of 8 x 8 1.6 and 1.9. One load for each term
// takes 21 and 69. A row and a column of blocks too many, which load the pixels at the edge, make
// it 1.3 with blocks of 16 x 16, and 1.44 with 32 x 8. A load before the question whether the pixel
// exists makes it up to 1.503 with these. Stores of 18 pixels, which a warp has left of 32 with a
// radius of 7, touch 1.4 times the sectors that they fill; a second store of each makes it 2.
TEST_P(LargeConvolution, LoadsPixelsOnceForEachTile) {
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(
                              1.6, {SectorsOfTiles(), "to load tiles of 16 x 16 pixels with halos"})
                              .Of("in"));
  EXPECT_THAT(CallOnce(), GlobalStoresWithin(1.5).Of("out").WithoutCopies());
}

constexpr std::uint64_t kFlag = 8;  // bytes

class ConvolutionOfManyTiles : public LargeConvolution {};

// The busiest block of each launch may load and store, together with those of the other launches, a
// quarter of the bytes of both images. Tiles of 64 x 64 pixels with their halos have a tenth.
TEST_P(ConvolutionOfManyTiles, SharesTheTiles) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(2.0 * height() * width() * sizeof(float) / 4));
}

// A thread may keep a weight for so many pixels.
constexpr double kPixelsAtOnce = 24;

// Global memory is asked for the weights only to copy them. A block that loads them itself, to
// shared memory, loads them as often as there are blocks. In constant memory a warp needs one pass
// for each term; lanes that read different weights need one for each lane. A block that only copies
// the weights from there to shared memory has a load for hundreds of pixels. Blocks beyond the
// image that sum nothing useful make it up to 1.7 times. The host may read a flag, but no mask: the
// smallest has 36 bytes.
TEST_P(LargeConvolution, KeepsTheMaskInConstantMemory) {
  const double sectors = terms() / 8.0 + 1;
  EXPECT_THAT(CallOnce(), GlobalLoadsWithin(2, {sectors, "to copy each weight once"})
                              .Of("mask")
                              .WithHint("copy the mask to a __constant__ array before the launch, "
                                        "and read it there"));
  EXPECT_THAT(CallOnce(),
              ConstantReadsWithin(1.75, {terms() * Warps(), "to read a weight for each term"}));
  EXPECT_THAT(CallOnce(),
              CounterThat(Counter::kConstantRequests, Ge(terms() * Warps() / kPixelsAtOnce))
                  .WithHint("read each weight from constant memory where it is multiplied: a copy "
                            "of the weights in shared memory is one more access for each term"));
  EXPECT_THAT(CallOnce(), BytesReadBeforeLaunches(Le(kFlag)));
}

// Each term of 32 pixels takes a wavefront, and keeping the pixels and their halos takes 2.8 for
// radius 3 in tiles of 32 x 8, and 4.1 for radius 7. Warps that are two rows of 16 pixels read
// from a bank twice, unless rows of the tile lie 16 banks apart: 2 times. Blocks beyond the image
// make it up to 1.8 times, without conflicts.
TEST_P(LargeConvolution, AvoidsBankConflicts) {
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(1.25, {(terms() + 4) * Warps(),
                                                     "to keep a tile and read it for each term"})
                              .OrWithoutWaste(2.25));
}

// Heights and widths are multiples of 64. The radius does not tell which image is graded.
std::vector<Image> GradedLarge() {
  const int radius = DrawnNumber("radius of the graded image", 2, 6);
  return DrawnFrom(
      "small radius", 1,
      std::vector<Image>{
          {192, 256, radius}, {256, 192, radius}, {384, 128, radius}, {128, 384, radius}});
}

std::vector<Image> Graded() {
  return Joined(
      GradedLarge(),
      DrawnFrom("large radius", 1, std::vector<Image>{{64, 128, 7}, {128, 64, 7}, {64, 192, 7}}));
}

// The images are smaller than the mask, or one row or column; around tiles of 16 and 32 pixels;
// with an edge of a tile that cuts the halo; wide and tall; of prime numbers; every radius; and the
// greatest height and width.
std::vector<Image> Images() {
  const std::vector<Image> images = {
      {1, 1, 1},   {1, 1, 7},   {1, 40, 2},   {40, 1, 3},     {3, 3, 7},
      {5, 2, 4},   {15, 17, 1}, {16, 16, 3},  {17, 15, 5},    {31, 33, 7},
      {32, 32, 1}, {33, 31, 2}, {35, 70, 6},  {64, 64, 4},    {65, 63, 7},
      {7, 300, 3}, {300, 7, 5}, {101, 53, 2}, {10'000, 3, 2}, {3, 10'000, 1},
  };
  return Joined(images, Graded());
}

Image Largest() {
  const int height = DrawnNumber("height", 270, 350);
  return {height, static_cast<int>(kMostPixels) / height, DrawnNumber("radius", 1, kMaxRadius)};
}

INSTANTIATE_TEST_SUITE_P(Images, Convolution, ValuesIn(Images()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Images, LargestConvolution, testing::Values(Largest()),
                         testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Images, LargeConvolution, ValuesIn(Graded()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Images, ConvolutionOfManyTiles, ValuesIn(GradedLarge()), CaseNames());

}  // namespace

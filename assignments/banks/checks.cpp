#include "checks/checks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "banks.h"

// Reports show a particle by this text.
static std::string ValueText(const Particle& particle) {
  std::string text = "{";
  for (const float word : {particle.x, particle.y, particle.z, particle.mass, particle.charge}) {
    text += (text.size() == 1 ? "" : ", ") + warpcheck::ValueText(word);
  }
  return text + "}";
}

namespace {

using testing::ValuesIn;
using warpcheck::AnyReals;
using warpcheck::BusiestBlockWithin;
using warpcheck::CaseNames;
using warpcheck::DrawnFrom;
using warpcheck::DrawnNumber;
using warpcheck::ExactlyEquals;
using warpcheck::FunctionOf;
using warpcheck::GlobalTrafficWithin;
using warpcheck::Integers;
using warpcheck::Joined;
using warpcheck::LaunchesAKernel;
using warpcheck::MakePlan;
using warpcheck::Output;
using warpcheck::Plan;
using warpcheck::Promised;
using warpcheck::RunsCleanly;
using warpcheck::SharedMemoryWithin;
using warpcheck::SharedTrafficWithin;
using warpcheck::StaysInBounds;
using warpcheck::Trial;
using warpcheck::Values;

struct Shape {
  int rows;
  int cols;
};

void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.rows << 'x' << shape.cols; }

constexpr std::int64_t kLongestSide = 2000;
constexpr std::int64_t kMostElements = 120'000;
constexpr int kMostParticles = 20'000;

// Returns the promises about a function that transposes these elements.
template <auto kFunction>
Promised<kFunction> PromisedOf(warpcheck::Promise in) {
  return Promised<kFunction>({std::move(in), Output("out"), Integers("rows", 1, kLongestSide),
                              Integers("cols", 1, kLongestSide)},
                             {{{"rows", "cols"}, kMostElements}});
}

const auto kCharsPromised =  // NOLINT(cert-err58-cpp)
    PromisedOf<&transpose_chars>(Integers("chars", -128, 127));
const auto kShortsPromised =  // NOLINT(cert-err58-cpp)
    PromisedOf<&transpose_shorts>(Integers("shorts", -32'768, 32'767));
const auto kDoublesPromised =  // NOLINT(cert-err58-cpp)
    PromisedOf<&transpose_doubles>(AnyReals("doubles", true));
const Promised<&split_complex> kComplexPromised(  // NOLINT(cert-err58-cpp)
    {AnyReals("in", true), Output("re"), Output("im"), Integers("rows", 1, kLongestSide),
     Integers("cols", 1, kLongestSide)},
    {{{"rows", "cols"}, kMostElements}});
const Promised<&join_particles> kParticlesPromised(  // NOLINT(cert-err58-cpp)
    {AnyReals("points", true), AnyReals("masses", true), AnyReals("charges", true),
     Output("particles"), Integers("n", 1, kMostParticles)});

constexpr char kKeptAndRead[] = "to keep each element once and read it once";

// The parts of the fixtures below that do not depend on the type of the elements.
class Matrices : public warpcheck::AssignmentOver<Shape> {
 protected:
  explicit Matrices(std::string function) : function_(std::move(function)) {}

  int rows() const { return GetParam().rows; }
  int cols() const { return GetParam().cols; }
  double Elements() const { return static_cast<double>(rows()) * cols(); }

  std::string TrialName() const override { return function_ + " " + AssignmentOver::TrialName(); }

  // The limit allows for a single thread that moves one element after the other.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 1'000'000 + 100 * static_cast<std::uint64_t>(Elements())};
  }

  // Returns the transpose of a matrix with these elements.
  template <class T>
  static Values<T> Transposed(const Trial& trial, const std::vector<T>& in) {
    const auto rows = static_cast<std::size_t>(trial.Number<int>(0));
    const auto cols = static_cast<std::size_t>(trial.Number<int>(1));
    Values<T> out{.extents = {cols, rows}, .data = in};
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t col = 0; col < cols; ++col) {
        out.data[col * rows + row] = in[row * cols + col];
      }
    }
    return out;
  }

  // Each element is stored to shared memory once and loaded once, 32 of them at a time, in a
  // wavefront for each 4 bytes of the element. A two-way conflict on one side alone gives 1.5
  // times. A row of 33 chars, or of 33 shorts, has no conflict in one column of each 4, or of each
  // 2, and a two-way conflict in the others: this gives 1.375 times and 1.25 times. A row of 32
  // gives 4.5 times with chars, 8.5 with shorts, and 8.5 with elements of 8 bytes, of which 16 are
  // accessed at a time. A grid with a row and a column of tiles too many, which are filled with
  // zeros, gives at most 1.41 times with tiles of 32 x 32, and 1.88 times with tiles of 64 x 64. A
  // program without shared memory meets this target.
  void ExpectFewWavefronts(int bytes_of_element) {
    const double wavefronts = 2 * Elements() / 32 * std::max(bytes_of_element, 4) / 4;
    EXPECT_THAT(CallOnce(),
                SharedTrafficWithin(1.1, {wavefronts, kKeptAndRead}).OrWithoutWaste(2.25));
  }

  void ExpectSharedWork(int bytes_of_element) {
    EXPECT_THAT(CallOnce(), BusiestBlockWithin(2 * Elements() * bytes_of_element / 4));
  }

  // Who keeps chars or shorts in a tile of ints need not think about how elements share a word, and
  // takes at least twice the memory. So all tiles together must take less than twice the bytes of
  // the matrix, also those that a block fills one after the other in the same memory. A padded tile
  // of 32 x 32 chars takes 1.13 times its bytes; larger tiles, and tiles of shorts, take less. With
  // one row and one column of tiles too many, padded tiles of 64 x 64 chars take 1.99 times.
  void ExpectSmallTiles(int bytes_of_element) {
    EXPECT_THAT(CallOnce(),
                SharedMemoryWithin(2 * Elements() * bytes_of_element - 1)
                    .WithHint("let the tile have elements of the type of the matrix, and pad its "
                              "rows"));
  }

 private:
  std::string function_;
};

template <class T, auto kFunction>
class Transposes : public Matrices {
 protected:
  using Matrices::Matrices;

  Plan Perform() override {
    const auto in = Upload(Numbers(), warpcheck::ExtentsOf(rows(), cols()));
    return MakePlan<kFunction>(in, Unwritten<T>(cols(), rows()), rows(), cols());
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    EXPECT_THAT(CallOnce().template Output<T>(),
                ExactlyEquals(Transposed(CallOnce(), CallOnce().template Before<T>(0).data)));
  }

 private:
  // Returns numbers that use all of their bits.
  std::vector<T> Numbers() {
    const int count = rows() * cols();
    if constexpr (std::is_same_v<T, double>) {
      return RandomDoubles(count, -1, 1, warpcheck::kAnyFloat);
    } else {
      const std::vector<int> numbers =
          RandomInts(count, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
      std::vector<T> result;
      for (const int number : numbers) result.push_back(static_cast<T>(number));
      if (count > 1) {
        result.front() = std::numeric_limits<T>::min();
        result.back() = std::numeric_limits<T>::max();
      }
      return result;
    }
  }
};

class TransposeChars : public Transposes<char, &transpose_chars> {
 protected:
  TransposeChars() : Transposes("transpose_chars") {}
};

class TransposeShorts : public Transposes<short, &transpose_shorts> {
 protected:
  TransposeShorts() : Transposes("transpose_shorts") {}
};

class TransposeDoubles : public Transposes<double, &transpose_doubles> {
 protected:
  TransposeDoubles() : Transposes("transpose_doubles") {}
};

class SplitComplex : public Matrices {
 protected:
  SplitComplex() : Matrices("split_complex") {}

  Plan Perform() override {
    const auto in = Upload(RandomFloats(2 * rows() * cols(), -1, 1, warpcheck::kAnyFloat),
                           warpcheck::ExtentsOf(rows(), 2 * cols()));
    const auto re = Unwritten<float>(cols(), rows());
    const auto im = Unwritten<float>(cols(), rows());
    return MakePlan<&split_complex>(in, re, im, rows(), cols());
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    const std::vector<float> in = CallOnce().Before<float>(0).data;
    std::vector<float> re;
    std::vector<float> im;
    for (std::size_t i = 0; i < in.size(); i += 2) {
      re.push_back(in[i]);
      im.push_back(in[i + 1]);
    }
    EXPECT_THAT(CallOnce().Output<float>(0), ExactlyEquals(Transposed(CallOnce(), re)));
    EXPECT_THAT(CallOnce().Output<float>(1), ExactlyEquals(Transposed(CallOnce(), im)));
  }
};

class JoinParticles : public warpcheck::AssignmentOver<int> {
 protected:
  int n() const { return GetParam(); }

  Plan Perform() override {
    const std::vector<float> numbers = RandomFloats(3 * n(), -1, 1, warpcheck::kAnyFloat);
    std::vector<Point> points;
    for (std::size_t i = 0; i < numbers.size(); i += 3) {
      points.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
    }
    const auto masses = Upload(RandomFloats(n(), -1, 1, warpcheck::kAnyFloat));
    const auto charges = Upload(RandomFloats(n(), -1, 1, warpcheck::kAnyFloat));
    return MakePlan<&join_particles>(Upload(points), masses, charges, Unwritten<Particle>(n()),
                                     n());
  }

  void ExpectRight() {
    ASSERT_THAT(CallOnce(), RunsCleanly());
    ASSERT_THAT(CallOnce(), LaunchesAKernel());
    const std::vector<Point> points = CallOnce().Before<Point>(0).data;
    const std::vector<float> masses = CallOnce().Before<float>(1).data;
    const std::vector<float> charges = CallOnce().Before<float>(2).data;
    Values<Particle> expected{.extents = {points.size()}, .data = {}};
    for (std::size_t i = 0; i < points.size(); ++i) {
      expected.data.push_back({points[i].x, points[i].y, points[i].z, masses[i], charges[i]});
    }
    EXPECT_THAT(CallOnce().Output<Particle>(), ExactlyEquals(expected));
  }

  // The limit allows for a single thread that makes one particle after the other.
  warpcheck::CallLimits Limits() const override {
    return {.instructions = 1'000'000 + 400 * static_cast<std::uint64_t>(n())};
  }
};

TEST_P(TransposeChars, IsRight) { ExpectRight(); }
TEST_P(TransposeShorts, IsRight) { ExpectRight(); }
TEST_P(TransposeDoubles, IsRight) { ExpectRight(); }
TEST_P(SplitComplex, IsRight) { ExpectRight(); }
TEST_P(JoinParticles, IsRight) { ExpectRight(); }

TEST_P(TransposeChars, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }
TEST_P(TransposeShorts, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }
TEST_P(TransposeDoubles, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }
TEST_P(SplitComplex, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }
TEST_P(JoinParticles, StaysInsideItsArrays) { EXPECT_THAT(CallOnce(), StaysInBounds()); }

// The targets below apply if no tile and no block is cut off, because rows of other shapes do not
// start at a sector.
class CharsOfFullTiles : public TransposeChars {};
class ShortsOfFullTiles : public TransposeShorts {};
class DoublesOfFullTiles : public TransposeDoubles {};
class ComplexOfFullTiles : public SplitComplex {};
class ParticlesOfFullBlocks : public JoinParticles {};

// Every word is read once and written once. A tenth is left for other data of a program. A tile of
// 16 x 16 chars moves sectors of which it uses a half, which is 2 times. If loads or stores run
// down columns, the factor is 16.5 for chars, 8.5 for shorts and 2.5 for doubles. Loads of the real
// parts and then of the imaginary parts move the sectors of `in` twice, 1.5 times in all. Threads
// that each load a whole struct move the sectors of `points` 3 times, and those that store one move
// the sectors of `particles` 5 times: 1.6 and 3 times in all.
constexpr double kCoalesced = 1.1;

TEST_P(CharsOfFullTiles, Coalesces) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(kCoalesced)); }
TEST_P(ShortsOfFullTiles, Coalesces) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(kCoalesced)); }
TEST_P(DoublesOfFullTiles, Coalesces) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(kCoalesced)); }
TEST_P(ComplexOfFullTiles, Coalesces) { EXPECT_THAT(CallOnce(), GlobalTrafficWithin(kCoalesced)); }
TEST_P(ParticlesOfFullBlocks, Coalesces) {
  EXPECT_THAT(CallOnce(), GlobalTrafficWithin(kCoalesced));
}

// The last matrix is larger than all others, and so is the last number of particles.
class ManyChars : public TransposeChars {};
class ManyShorts : public TransposeShorts {};
class ManyDoubles : public TransposeDoubles {};
class ManyComplex : public SplitComplex {};
class ManyParticles : public JoinParticles {};

// The busiest block of each launch may load and store, together with those of the other launches, a
// quarter of the bytes of all arrays. Tiles of 128 x 128 elements have a sixth.
TEST_P(ManyChars, SharesTheWork) { ExpectSharedWork(1); }
TEST_P(ManyShorts, SharesTheWork) { ExpectSharedWork(2); }
TEST_P(ManyDoubles, SharesTheWork) { ExpectSharedWork(8); }
TEST_P(ManyComplex, SharesTheWork) { ExpectSharedWork(8); }
TEST_P(ManyParticles, SharesTheWork) {
  EXPECT_THAT(CallOnce(), BusiestBlockWithin(2.0 * sizeof(Particle) * n() / 4));
}

TEST_P(CharsOfFullTiles, AvoidsBankConflicts) { ExpectFewWavefronts(1); }
TEST_P(ShortsOfFullTiles, AvoidsBankConflicts) { ExpectFewWavefronts(2); }
TEST_P(DoublesOfFullTiles, AvoidsBankConflicts) { ExpectFewWavefronts(8); }
TEST_P(ComplexOfFullTiles, AvoidsBankConflicts) { ExpectFewWavefronts(8); }

TEST_P(CharsOfFullTiles, HasTilesOfChars) { ExpectSmallTiles(1); }
TEST_P(ShortsOfFullTiles, HasTilesOfShorts) { ExpectSmallTiles(2); }

// Three words of a point are kept and read, and five words of a particle: 16 wavefronts for 32
// particles. A point that is padded to four words takes 28 in all, and 20 as a float4. A particle
// that is padded to six words takes 26, and to eight 56. Words of points that go to their places in
// the particles at once take 13, conflicts included.
TEST_P(ParticlesOfFullBlocks, AvoidsBankConflicts) {
  const double wavefronts = 2.0 * (3 + 5) * n() / 32;
  EXPECT_THAT(CallOnce(), SharedTrafficWithin(1.1, {wavefronts,
                                                    "to keep each word of a struct "
                                                    "once and read it once"}));
}

// The graded shapes have full tiles of up to 128 x 128 elements.
std::vector<Shape> Graded() {
  return DrawnFrom<Shape>("graded", 1, {{128, 256}, {256, 128}, {128, 384}, {384, 128}});
}

// The most elements that the handout promises.
Shape Large() {
  const int rows = DrawnNumber("rows", 270, 310);
  return {rows, static_cast<int>(kMostElements) / rows};
}

// The shapes are a single element, a single row and column, a tile of 32 x 32 with one row or
// column more or less, a wide and a tall matrix, and one that is larger than all others.
std::vector<Shape> Shapes() {
  return Joined(Graded(), {{1, 1},
                           {1, 70},
                           {70, 1},
                           {31, 33},
                           {33, 31},
                           {64, 64},
                           {5, 331},
                           {331, 5},
                           {5, 2000},
                           {2000, 5},
                           Large()});
}

// The graded lengths are multiples of all usual blocks.
std::vector<int> GradedLengths() {
  return DrawnFrom("graded", 1, std::vector{8192, 9216, 10'240, 11'264});
}

int Most() { return kMostParticles; }

std::vector<int> Lengths() {
  return Joined(GradedLengths(), {1, 31, 33, 255, 257, 1000, 1025, Most()});
}

INSTANTIATE_TEST_SUITE_P(Shapes, TransposeChars, ValuesIn(Shapes()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, TransposeShorts, ValuesIn(Shapes()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, TransposeDoubles, ValuesIn(Shapes()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, SplitComplex, ValuesIn(Shapes()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Lengths, JoinParticles, ValuesIn(Lengths()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, CharsOfFullTiles, ValuesIn(Graded()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, ShortsOfFullTiles, ValuesIn(Graded()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, DoublesOfFullTiles, ValuesIn(Graded()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, ComplexOfFullTiles, ValuesIn(Graded()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Lengths, ParticlesOfFullBlocks, ValuesIn(GradedLengths()), CaseNames());

INSTANTIATE_TEST_SUITE_P(Shapes, ManyChars, testing::Values(Large()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, ManyShorts, testing::Values(Large()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, ManyDoubles, testing::Values(Large()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Shapes, ManyComplex, testing::Values(Large()), CaseNames());
INSTANTIATE_TEST_SUITE_P(Lengths, ManyParticles, testing::Values(Most()), CaseNames());

}  // namespace

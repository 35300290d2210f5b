#include "checks/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "trial/fakes.h"

namespace warpcheck {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

template <class T>
Values<T> Make(const Extents& extents, std::vector<T> data) {
  return {.extents = extents, .data = std::move(data)};
}

template <class T>
T Unwritten() {
  T value;
  std::memset(&value, 0xFF, sizeof value);
  return value;
}

TEST(ExactlyEquals, IsSilentForTheSameBits) {
  const auto nan = std::nanf("");
  EXPECT_THAT(FailuresOf(Make<float>({2, 2}, {1, -0.0f, nan, 4}),
                         ExactlyEquals(Make<float>({2, 2}, {1, -0.0f, nan, 4}))),
              IsEmpty());
}

TEST(ExactlyEquals, ShowsTheFirstMismatchesWithTheirPlaces) {
  EXPECT_THAT(FailuresOf(Make<float>({2, 3}, {1, 2, 9, 4, Unwritten<float>(), 6}),
                         ExactlyEquals(Make<float>({2, 3}, {1, 2, 3, 4, 5, 6}))),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "2 of 6 elements are wrong (1 never written); first [0, 2]: "
                                    "expected 3, got 9\n  [1, 1]: expected 5, never written")));
}

TEST(ExactlyEquals, MarksAWrongResult) {
  const auto failures =
      WholeFailuresOf(Make<int>({2}, {1, 3}), ExactlyEquals(Make<int>({2}, {1, 2})));
  ASSERT_THAT(failures, SizeIs(1));
  EXPECT_TRUE(failures[0].complaint.wrong_result);
}

TEST(ExactlyEquals, CountsWhatItDoesNotShow) {
  std::vector<float> got(2000, 0.5f);
  std::vector<float> want(2000, 0.25f);
  want[0] = 0.5f;
  EXPECT_THAT(
      FailuresOf(Make<float>({2000}, got), ExactlyEquals(Make<float>({2000}, want))),
      ElementsAre(FailureOf(
          Verdict::kFailed,
          "1,999 of 2,000 elements are wrong; first [1]: expected 0.25, got 0.5\n  [2]: expected "
          "0.25, got 0.5\n  [3]: expected 0.25, got 0.5\n  [4]: expected 0.25, got 0.5\n  [5]: "
          "expected 0.25, got 0.5\n  [6]: expected 0.25, got 0.5\n  and 1,993 more")));
}

TEST(ExactlyEquals, SaysWhatWasNeverWritten) {
  const float never = Unwritten<float>();
  EXPECT_THAT(
      FailuresOf(Make<float>({1, 2}, {never, never}), ExactlyEquals(Make<float>({1, 2}, {1, 2}))),
      ElementsAre(
          FailureOf(Verdict::kFailed,
                    "no element of the output was written\n  [0, 1]: expected 2, never written")));
  EXPECT_THAT(
      FailuresOf(Make<float>({1, 2}, {1, never}), ExactlyEquals(Make<float>({1, 2}, {1, 2}))),
      ElementsAre(FailureOf(Verdict::kFailed,
                            "1 of 2 elements is wrong (it was never written); first [0, 1]: "
                            "expected 2, never written")));
}

constexpr char kRoundUp[] =
    "round the number of blocks up, in each dimension: (n + block - 1) / block blocks have a "
    "thread "
    "for each of n elements. Then guard the access, because the last block has threads beyond the "
    "end";

// Returns the only failure of an array of ones whose elements for which `written` is false were
// never written, after launches of these grids.
CaseFailure AfterGrids(std::vector<LaunchedGrid> grids, const Extents& extents,
                       bool (*written)(std::size_t)) {
  const float never = std::bit_cast<float>(0xFFFFFFFF);
  const std::size_t elements = ElementsOf(extents);
  Values<float> got = Make<float>(extents, std::vector<float>(elements, 1));
  for (std::size_t i = 0; i < elements; ++i) got.data[i] = written(i) ? 1 : never;
  got.grids = std::move(grids);
  const auto failures =
      FailuresOf(got, ExactlyEquals(Make<float>(extents, std::vector<float>(elements, 1))));
  EXPECT_EQ(failures.size(), 1U);
  return failures.front();
}

TEST(ExactlyEquals, SaysThatAGridIsRoundedDown) {
  const SourceLocation launch{"scale.cu", 8, 0};
  const CaseFailure linear =
      AfterGrids({{{9, 1, 1}, {4, 1, 1}, launch}}, {39}, [](std::size_t i) { return i < 36; });
  EXPECT_THAT(linear.complaint.message,
              testing::StartsWith("9 blocks of 4 threads are 36 threads for 39 elements\n  as a "
                                  "result, 3 of 39 elements are wrong"));
  EXPECT_EQ(linear.complaint.hint, kRoundUp);
  EXPECT_EQ(linear.complaint.where, launch);
  const CaseFailure pairs =
      AfterGrids({{{9, 1, 1}, {2, 1, 1}, {}}}, {39}, [](std::size_t i) { return i < 36; });
  EXPECT_THAT(pairs.complaint.message,
              testing::StartsWith("9 blocks of 2 threads are 18 threads, with 2 elements each, for "
                                  "39 elements"));
  // 2 rows of 3 elements have threads, of 3 rows of 5.
  const CaseFailure plane = AfterGrids({{{1, 1, 1}, {3, 2, 1}, {}}}, {3, 5},
                                       [](std::size_t i) { return i % 5 < 3 && i / 5 < 2; });
  EXPECT_THAT(
      plane.complaint.message,
      testing::StartsWith("1x1 blocks of 3x2 threads are 3 x 2 threads, and there are 5 x 3 "
                          "elements (columns x rows)"));
}

TEST(ExactlyEquals, BlamesNoGridForOtherElements) {
  EXPECT_EQ(AfterGrids({{{9, 1, 1}, {4, 1, 1}, {}}}, {39}, [](std::size_t i) { return i < 35; })
                .complaint.hint,
            "")
      << "an element with a thread is unwritten too";
  EXPECT_EQ(AfterGrids({{{9, 1, 1}, {4, 1, 1}, {}}}, {39}, [](std::size_t i) { return i >= 3; })
                .complaint.hint,
            "")
      << "the last ones are written";
}

TEST(ExactlyEquals, TellsZerosAndNansApartByTheirBits) {
  EXPECT_THAT(FailuresOf(Make<float>({2}, {0.0f, std::numeric_limits<float>::quiet_NaN()}),
                         ExactlyEquals(Make<float>({2}, {-0.0f, 1}))),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "2 of 2 elements are wrong; first [0]: expected -0, got 0\n  "
                                    "[1]: expected 1, got nan (0x7fc00000)")));
}

TEST(EqualsAsNumbers, TakesZerosOfBothSignsForOne) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(FailuresOf(Make<float>({3}, {-0.0f, 0, nan}),
                         EqualsAsNumbers(Make<float>({3}, {0, -0.0f, nan}))),
              IsEmpty());
  EXPECT_THAT(
      FailuresOf(Make<float>({2}, {-0.0f, 1}), EqualsAsNumbers(Make<float>({2}, {1e-45F, 1}))),
      SizeIs(1));
}

TEST(ExactlyEquals, CallsDenormalNumbersSo) {
  EXPECT_THAT(
      FailuresOf(Make<float>({2}, {0, -1e-40F}), ExactlyEquals(Make<float>({2}, {1e-45F, 2}))),
      ElementsAre(FailureOf(Verdict::kFailed,
                            "2 of 2 elements are wrong; first [0]: expected 1e-45 (denormal), got "
                            "0\n  [1]: expected 2, got -1e-40 (denormal)")));
}

TEST(ExactlyEquals, KnowsAMinusOneThatIsExpected) {
  EXPECT_THAT(FailuresOf(Make<int>({2}, {-1, -1}), ExactlyEquals(Make<int>({2}, {-1, 7}))),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "1 of 2 elements is wrong (it was never written); first [1]: "
                                    "expected 7, never written")));
}

TEST(ExactlyEquals, AddsWhatMayExplainIt) {
  Values<float> got = Make<float>({1}, {2});
  got.cause.notes = {{.where = {"transpose.cu", 7, 0}, .message = "reads 4 bytes past the end"}};
  got.cause.where = {"transpose.cu", 7, 0};
  got.cause.hint = "guard the access";
  EXPECT_THAT(FailuresOf(got, ExactlyEquals(Make<float>({1}, {1}))),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "reads 4 bytes past the end\n  as a result, 1 of 1 element is "
                                    "wrong; first [0]: expected 1, got 2",
                                    "guard the access", {"transpose.cu", 7, 0})));
}

// Returns values that also contain the values of the array before the call.
Values<float> After(const std::vector<float>& before, const Extents& extents,
                    std::vector<float> data) {
  Values<float> values = Make<float>(extents, std::move(data));
  values.start =
      std::make_shared<ArrayStart>(ArrayStart{typeid(float), extents, BytesOf(before), false});
  return values;
}

TEST(ExactlyEquals, NamesTheFrameThatHasToStay) {
  const std::vector<float> before = {1, 2, 3, 4, 0, 6, 7, 8, 9};
  Values<float> got = After(before, {3, 3}, {1, 2, 3, 4, 5, 5, 7, 8, 5});
  got.stores = {{"heat.cu", 20, 0}};
  EXPECT_THAT(FailuresOf(got, ExactlyEquals(Make<float>({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}))),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "2 of 9 elements are wrong, in the frame, which must stay as it was; first [1, "
                  "2]: in the frame, must stay 6, got 5\n  [2, 2]: in the frame, must stay 9, got "
                  "5\n  note: line 20 stores it: no other line writes to arrays",
                  "write only to the inner cells: let the index begin after the frame, and guard "
                  "the store so that it ends before the frame",
                  {"heat.cu", 20, 0})));
}

TEST(ExactlyEquals, NamesElementsThatHaveToStay) {
  Values<float> got = After({1, 2, 3, 4}, {4}, {1, 5, 7, 9});
  got.stores = {{"heat.cu", 20, 0}, {"heat.cu", 22, 0}};
  EXPECT_THAT(FailuresOf(got, ExactlyEquals(Make<float>({4}, {1, 2, 3, 5}))),
              ElementsAre(FailureOf(
                  Verdict::kFailed,
                  "3 of 4 elements are wrong, 2 of them where nothing should change; first [1]: "
                  "must stay 2, got 5\n  [2]: must stay 3, got 7\n  [3]: expected 5, got 9")));
}

template <class T>
ResultMap MapIn(const Values<T>& got, const Values<T>& expected) {
  const std::vector<CaseFailure> failures = WholeFailuresOf(got, ExactlyEquals(expected));
  EXPECT_EQ(failures.size(), 1U);
  if (failures.empty() || !failures.front().complaint.map) return {};
  EXPECT_TRUE(IsWhole(*failures.front().complaint.map));
  return *failures.front().complaint.map;
}

TEST(ExactlyEquals, MapsWhatIsWrong) {
  const float never = Unwritten<float>();
  const float infinity = std::numeric_limits<float>::infinity();
  const ResultMap map = MapIn(Make<float>({2, 3}, {1, 2, 9, never, 5, std::nanf("")}),
                              Make<float>({2, 3}, {1, infinity, 3, 4, 5, std::nanf("")}));
  EXPECT_EQ(map.cells, ".xxu..");
  EXPECT_EQ(map.first_wrong, 1U);
  EXPECT_EQ(map.first, "[0, 1]: expected inf, got 2");
  EXPECT_THAT(map.inner, IsEmpty());
}

TEST(ExactlyEquals, MapsTheHalo) {
  const std::vector<float> before = {1, 2, 3, 4, 0, 6, 7, 8, 9};
  const Values<float> right = Make<float>({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const std::vector<ResultMap::Range> inner = {{1, 1}, {1, 1}};
  const ResultMap outside = MapIn(After(before, {3, 3}, {1, 2, 3, 4, 5, 0, 7, 8, 9}), right);
  EXPECT_EQ(outside.cells, ".....x...");
  EXPECT_EQ(outside.inner, inner);
  const ResultMap inside = MapIn(After(before, {3, 3}, {1, 2, 3, 4, 0, 6, 7, 8, 9}), right);
  EXPECT_EQ(inside.cells, "....x....");
  EXPECT_EQ(inside.inner, inner);
}

TEST(ValueText, GroupsWholeNumbers) {
  EXPECT_EQ(ValueText(1310720.0F), "1,310,720");
  EXPECT_EQ(ValueText(-1310720.0), "-1,310,720");
  EXPECT_EQ(ValueText(1e20F), "1e+20");
  EXPECT_EQ(ValueText(0.1F), "0.1");
  EXPECT_EQ(ValueText(-0.0F), "-0");
  EXPECT_EQ(ValueText(std::int64_t{-65'535}), "-65,535");
  EXPECT_EQ(ValueText(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
  EXPECT_EQ(ValueText(std::uint64_t{65'535}), "65,535");
}

TEST(ExactlyEquals, BlamesTheChecksForAnotherSize) {
  EXPECT_THAT(FailuresOf(Make<float>({1}, {2}), ExactlyEquals(Make<float>({2}, {1, 2}))),
              ElementsAre(FailureOf(Verdict::kHarnessFault,
                                    "the checks compare 1 element with 2 expected ones")));
}

TEST(WithinUlps, CountsRepresentableValues) {
  const float next = std::nextafterf(1.0f, 2.0f);
  const auto want = Make<float>({1}, {1.0f});
  EXPECT_THAT(FailuresOf(Make<float>({1}, {next}), WithinUlps(1, want)), IsEmpty());
  EXPECT_THAT(FailuresOf(Make<float>({1}, {std::nextafterf(next, 2.0f)}), WithinUlps(1, want)),
              testing::SizeIs(1));
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_THAT(FailuresOf(Make<float>({1}, {-tiny}), WithinUlps(2, Make<float>({1}, {tiny}))),
              IsEmpty());
  EXPECT_THAT(FailuresOf(Make<float>({1}, {-tiny}), WithinUlps(1, Make<float>({1}, {tiny}))),
              testing::SizeIs(1));
}

TEST(WithinUlps, RefusesNanAndInfinity) {
  const float nan = std::nanf("");
  const float infinity = std::numeric_limits<float>::infinity();
  const auto want = Make<float>({1}, {1.0f});
  EXPECT_THAT(FailuresOf(Make<float>({1}, {nan}), WithinUlps(1u << 31, want)), testing::SizeIs(1));
  EXPECT_THAT(FailuresOf(Make<float>({1}, {infinity}), WithinUlps(1u << 31, want)),
              testing::SizeIs(1));
  EXPECT_THAT(FailuresOf(Make<float>({1}, {infinity}), WithinUlps(0, Make<float>({1}, {infinity}))),
              IsEmpty());
}

TEST(WithinError, AddsTheRelativeToTheAbsoluteBound) {
  const auto want = Make<double>({1}, {100.0});
  EXPECT_THAT(FailuresOf(Make<double>({1}, {101.25}),
                         WithinError({.absolute = 0.25, .relative = 0.01}, want)),
              IsEmpty());
  EXPECT_THAT(
      FailuresOf(Make<double>({1}, {101.5}),
                 WithinError({.absolute = 0.25, .relative = 0.01}, want)),
      ElementsAre(FailureOf(Verdict::kFailed,
                            "1 of 1 element is wrong; first [0]: expected 100, got 101.5")));
}

TEST(WithinError, NeverAcceptsNan) {
  const auto bound = ErrorBound{.absolute = std::numeric_limits<double>::infinity()};
  EXPECT_THAT(
      FailuresOf(Make<float>({1}, {std::nanf("")}), WithinError(bound, Make<float>({1}, {1}))),
      testing::SizeIs(1));
}

TEST(WithinErrors, AllowsEveryElementItsOwnError) {
  const std::vector<Approximation> want = {{1, 0.5}, {100, 0}, {3, 0.25}};
  EXPECT_THAT(FailuresOf(Make<float>({3}, {1.5F, 100, 2.75F}), WithinErrors<float>(want)),
              IsEmpty());
  EXPECT_THAT(FailuresOf(Make<float>({3}, {0.25F, 100.25F, 3}), WithinErrors<float>(want)),
              ElementsAre(FailureOf(Verdict::kFailed,
                                    "2 of 3 elements are wrong; first [0]: expected 1 +- 0.5, got "
                                    "0.25\n  [1]: expected 100, got 100.25")));
}

TEST(WithinErrors, NeverAcceptsNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT(FailuresOf(Make<float>({1}, {std::nanf("")}), WithinErrors<float>({{1, infinity}})),
              testing::SizeIs(1));
}

}  // namespace
}  // namespace warpcheck

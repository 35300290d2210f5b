#include "proof/parity/compare.h"

#include <gmock/gmock.h>

namespace warpcheck::parity {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

LineCounters Line(int line, std::uint64_t sectors, std::uint64_t wavefronts = 0,
                  std::uint64_t ideal = 0) {
  LineCounters counters;
  counters.where = {.file = "k.cu", .line = line};
  for (const Counter counter : kCompared) counters.counters.Set(counter, 0);
  counters.counters.Set(Counter::kGlobalSectors, sectors);
  counters.counters.Set(Counter::kSharedWavefronts, wavefronts);
  counters.counters.Set(Counter::kSharedWavefrontsIdeal, ideal);
  return counters;
}

MeasuredLaunch Launch(std::vector<LineCounters> lines, const std::string& case_name = "one") {
  MeasuredLaunch launch;
  launch.subject = "a.cu";
  launch.case_name = case_name;
  launch.kernel = "k(float*)";
  launch.lines = std::move(lines);
  return launch;
}

Measurements Of(std::string device, std::vector<MeasuredLaunch> launches) {
  return {std::move(device), std::move(launches)};
}

std::vector<KnownDifference> Known(std::string_view text) {
  return ParseKnown(text, "known.txt").value();
}

const Figure& FigureOf(const Comparison& comparison, std::string_view counter) {
  for (const Figure& figure : comparison.figures) {
    if (figure.counter == counter) return figure;
  }
  ADD_FAILURE() << counter;
  return comparison.figures.front();
}

TEST(Compare, AgreesWithItself) {
  const auto one = Of("A", {Launch({Line(3, 8), Line(4, 0, 32, 1)})});
  const Comparison comparison = Compare(one, one, {});
  EXPECT_TRUE(comparison.AsExpected());
  EXPECT_EQ(comparison.launches, 1U);
  EXPECT_THAT(comparison.disagreements, IsEmpty());
  EXPECT_EQ(FigureOf(comparison, "global_sectors").lines, 1U);  // line 4 has no excess
  EXPECT_EQ(FigureOf(comparison, "excessive_wavefronts").lines, 1U);
  EXPECT_EQ(FigureOf(comparison, "excessive_wavefronts").agreeing, 1U);
}

TEST(Compare, NamesEveryLineThatDiffers) {
  const auto a = Of("A", {Launch({Line(3, 8), Line(4, 4)})});
  const auto b = Of("B", {Launch({Line(3, 9), Line(5, 4)})});
  const Comparison comparison = Compare(a, b, {});
  EXPECT_FALSE(comparison.AsExpected());
  EXPECT_EQ(FigureOf(comparison, "global_sectors").agreeing, 0U);
  EXPECT_EQ(FigureOf(comparison, "global_sectors").lines, 3U);
  const std::string text = ToText(comparison, false);
  EXPECT_THAT(text, HasSubstr("not listed:\n"
                              "  a.cu one #0 k.cu:3 global_sectors: A has 8, B has 9\n"
                              "  a.cu one #0 k.cu:4 global_sectors: A has 4, B has 0\n"
                              "  a.cu one #0 k.cu:5 global_sectors: A has 0, B has 4\n"));
}

// Merged loads change wavefronts and their ideal by the same number, so the excess stays the same.
TEST(Compare, LooksAtTheExcessOnItsOwn) {
  const auto a = Of("A", {Launch({Line(3, 0, 12, 4)})});
  const auto b = Of("B", {Launch({Line(3, 0, 10, 2)})});
  const Comparison comparison = Compare(a, b, {});
  EXPECT_THAT(comparison.disagreements, SizeIs(2));
  EXPECT_EQ(FigureOf(comparison, "excessive_wavefronts").agreeing, 1U);
}

TEST(Compare, AcceptsWhatIsListedAndNothingElse) {
  const auto a = Of("A", {Launch({Line(3, 8)}), Launch({Line(3, 4)}, "two")});
  const auto b = Of("B", {Launch({Line(3, 9)}), Launch({Line(3, 4)}, "two")});
  const Comparison listed = Compare(a, b, Known("cause global_sectors a.* k.cu:3\n"));
  EXPECT_TRUE(listed.AsExpected());
  EXPECT_EQ(FigureOf(listed, "global_sectors").known, 1U);
  EXPECT_EQ(FigureOf(listed, "global_sectors").agreeing, 1U);
  EXPECT_THAT(ToText(listed, false), HasSubstr("1 disagreement known as \"cause\""));
  EXPECT_THAT(ToText(listed, false), Not(HasSubstr("A has 8")));
  EXPECT_THAT(ToText(listed, true), HasSubstr("A has 8, B has 9 [cause]"));
  EXPECT_FALSE(Compare(a, b, Known("cause global_sectors a.* k.cu:4\n")).AsExpected());
  EXPECT_FALSE(Compare(a, b, Known("cause shared_wavefronts a.* k.cu:3\n")).AsExpected());
  EXPECT_FALSE(Compare(a, b, Known("cause global_sectors b.* k.cu:3\n")).AsExpected());
}

TEST(Compare, RefusesAListThatIsTooLong) {
  const auto one = Of("A", {Launch({Line(3, 8)})});
  const Comparison comparison =
      Compare(one, one, Known("# a comment\ncause global_sectors a.cu k.cu:3\n"));
  EXPECT_FALSE(comparison.AsExpected());
  ASSERT_THAT(comparison.stale, SizeIs(1));
  EXPECT_THAT(ToText(comparison, false),
              HasSubstr("known.txt:2: listed as \"cause\", but global_sectors of a.cu at k.cu:3 "
                        "agrees now"));
}

TEST(Compare, SaysWhichLaunchesAreMissingOrOther) {
  const auto a = Of("A", {Launch({Line(3, 8)}), Launch({Line(3, 8)}, "two")});
  auto b = a;
  b.launches[0].block = {64, 1, 1};
  b.launches[1].case_name = "three";
  const Comparison comparison = Compare(a, b, {});
  EXPECT_FALSE(comparison.AsExpected());
  EXPECT_EQ(comparison.launches, 0U);
  EXPECT_THAT(comparison.disagreements, SizeIs(2));
  EXPECT_EQ(comparison.unmeasured, 1U);
  const std::string text = ToText(comparison, false);
  EXPECT_THAT(text, HasSubstr("no launch was compared"));
  EXPECT_THAT(text, HasSubstr("new, and not measured on A: 1 launch\n"));
  EXPECT_THAT(text,
              HasSubstr("a.cu three #0 launch: A has no such launch, A has k(float*) <<<(1, 1, "
                        "1), (1, 1, 1)>>>"));
}

TEST(Compare, CountsLaunchesThatNeitherDeviceCounted) {
  auto failed = Launch({}, "two");
  failed.not_counted = "cudaErrorIllegalAddress";
  const auto a = Of("A", {Launch({Line(3, 8)}), failed});
  EXPECT_EQ(Compare(a, a, {}).not_counted, 1U);
  EXPECT_TRUE(Compare(a, a, {}).AsExpected());
  auto b = a;
  b.launches[1].not_counted.clear();
  EXPECT_FALSE(Compare(a, b, {}).AsExpected());
  EXPECT_TRUE(Compare(a, b, Known("cause launch a.cu -\n")).AsExpected());
}

TEST(Compare, GivesRowsForTheList) {
  const auto a = Of("A", {Launch({Line(3, 8)}), Launch({Line(3, 7)}, "two")});
  const auto b = Of("B", {Launch({Line(3, 9)}), Launch({Line(3, 9)}, "two"), Launch({}, "three")});
  const std::string rows = RowsFor(Compare(a, b, {}));
  EXPECT_EQ(rows, "? global_sectors a.cu k.cu:3\n? launch a.cu -\n");
  EXPECT_TRUE(Compare(a, b, Known(rows)).AsExpected());
  EXPECT_EQ(RowsFor(Compare(a, b, Known(rows))), "");
}

TEST(Known, SaysWhatIsWrongWithARow) {
  EXPECT_EQ(ParseKnown("\ncause global_sectors a.cu\n", "known.txt").error().Text(),
            "known.txt:2: error: expected four words: cause, counter, subject, place");
}

}  // namespace
}  // namespace warpcheck::parity

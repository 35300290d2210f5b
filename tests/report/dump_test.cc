#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/files.h"
#include "base/scratch_folder.h"
#include "report/dump/chosen_cases.h"
#include "report/dump/dump_files.h"
#include "report/dump/dump_text.h"
#include "report/dump/npy.h"

namespace warpcheck {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

template <class T>
std::string Bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// Returns a grid of 3 x 4 floats with a frame, one wrong element and one that was never written.
ArrayDump Grid() {
  ArrayDump dump{.case_name = "Orders/Heat2D.MatchesReference/3x4",
                 .array = "next",
                 .type = "<f4",
                 .extents = {3, 4},
                 .inner = {{.first = 1, .last = 1}, {.first = 1, .last = 2}},
                 .expected = {},
                 .got = {}};
  std::vector<float> expected(12, 0.5F);
  std::vector<float> got = expected;
  got[5] = 2;
  std::memset(&got[6], 0xFF, sizeof(float));
  dump.expected = Bytes(expected);
  dump.got = Bytes(got);
  dump.states = ".....xu.....";
  return dump;
}

// The rules come from numpy.lib.format, version 1.0.
TEST(Npy, HasTheHeaderThatNumPyReads) {
  for (const std::vector<std::uint64_t>& extents :
       {std::vector<std::uint64_t>{7}, {3, 4}, {2, 100'000, 30}}) {
    const std::string file = NpyFile("<f4", extents, "elements");
    ASSERT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t length =
        static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
    const std::string header = file.substr(10, length);
    EXPECT_EQ((10 + length) % 64, 0U);
    EXPECT_TRUE(header.ends_with('\n'));
    EXPECT_EQ(file.substr(10 + length), "elements");
    EXPECT_THAT(header, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': ("));
  }
  EXPECT_THAT(NpyFile("|u1", {7}, ""), HasSubstr("'shape': (7, ), }"));
  EXPECT_THAT(NpyFile("|u1", {3, 4}, ""), HasSubstr("'shape': (3, 4), }"));
}

TEST(DumpText, MarksWrongElementsAndThoseNeverWritten) {
  const ArrayDump dump = Grid();
  EXPECT_EQ(GotText(dump, "a title"),
            "# a title: 3 x 4 elements\n"
            "# got; \"!\" follows a wrong element, \"_\" is one that was never written\n"
            "[0] 0.5  0.5  0.5  0.5\n"
            "[1] 0.5    2!   _  0.5\n"
            "[2] 0.5  0.5  0.5  0.5\n");
  EXPECT_THAT(DifferenceText(dump, ""), HasSubstr("[1]   0  1.5!   _    0\n"));
  EXPECT_THAT(ExpectedText(dump, ""), HasSubstr("[1] 0.5  0.5! 0.5  0.5\n"));
  const std::vector<double> differences = DifferencesOf(dump);
  EXPECT_EQ(differences[5], 1.5);
  EXPECT_TRUE(std::isnan(differences[6]));
  EXPECT_EQ(differences[7], 0);
}

TEST(DumpText, ShowsSlicesOfThreeDimensionsAndLinesOfOne) {
  ArrayDump dump{.array = "a", .type = "<i4", .extents = {2, 1, 2}, .expected = {}, .got = {}};
  dump.expected = dump.got = Bytes(std::vector<int>{1, -2, 30, 4});
  dump.states = "....";
  EXPECT_THAT(GotText(dump, ""), HasSubstr("\n# [0, ...]\n[0]  1  -2\n\n# [1, ...]\n[0] 30   4\n"));
  dump.extents = {20};
  dump.expected = dump.got = Bytes(std::vector<int>(20, 7));
  dump.states = std::string(20, '.');
  EXPECT_THAT(GotText(dump, ""), HasSubstr("\n[16] 7  7  7  7\n"));
}

TEST(DumpText, ShowsThePartOfALargeArrayAroundTheFirstWrongElement) {
  constexpr std::uint64_t kSide = 1000;
  ArrayDump dump{.array = "a", .type = "|u1", .extents = {kSide, kSide}, .expected = {}, .got = {}};
  dump.expected = dump.got = std::string(kSide * kSide, '\1');
  dump.states = std::string(kSide * kSide, '.');
  dump.states[500 * kSide + 999] = 'x';
  const std::string text = GotText(dump, "");
  EXPECT_THAT(text, HasSubstr("# only the elements [436 to 563, 872 to 999], around"));
  EXPECT_LT(text.size(), 100'000U);
}

TEST(DumpFiles, WritesTextsArraysAndAPicture) {
  const auto scratch = ScratchFolder::Make();
  ASSERT_TRUE(scratch);
  ArrayDump second = Grid();
  second.call = 2;
  const auto lines = WriteArrays({Grid(), second, Grid()}, scratch->path() / "new");
  ASSERT_TRUE(lines) << lines.error().Text();
  const auto folder = scratch->path() / "new" / "3x4";
  EXPECT_THAT(*lines,
              ElementsAre(AllOf(HasSubstr("Orders/Heat2D.MatchesReference/3x4, next: 2 of 12"),
                                HasSubstr((folder / "next_map.svg").string())),
                          HasSubstr("next after call 2"), HasSubstr("next_2_map.svg")));
  for (const char* name : {"next_expected.txt", "next_got.txt", "next_difference.txt",
                           "next_expected.npy", "next_got.npy", "next_difference.npy",
                           "next_state.npy", "next_map.svg", "next_call2_got.npy"}) {
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  }
  const std::string picture = ReadFile(folder / "next_map.svg").value();
  EXPECT_THAT(picture, HasSubstr("<path class=\"wrong\" d=\"M1 1h1v1h-1z\"/>"));
  EXPECT_THAT(picture, HasSubstr("<path class=\"unwritten\" d=\"M2 1h1v1h-1z\"/>"));
  EXPECT_THAT(picture,
              HasSubstr("<rect class=\"inner\" x=\"1\" y=\"1\" width=\"2\" height=\"1\"/>"));
  EXPECT_TRUE(
      ReadFile(folder / "next_state.npy")->ends_with(std::string("\0\0\0\0\0\2\1\0\0\0\0\0", 12)));
}

TEST(DumpFiles, DrawsARightResultWithoutAFirstWrongElement) {
  const auto scratch = ScratchFolder::Make();
  ArrayDump dump = Grid();
  dump.states = std::string(12, '.');
  dump.array = "";
  ASSERT_TRUE(WriteArrays({dump}, scratch->path()));
  const std::string picture = ReadFile(scratch->path() / "3x4/result_map.svg").value();
  EXPECT_THAT(picture, Not(HasSubstr("class=\"first\"")));
  EXPECT_THAT(picture, HasSubstr("class=\"right\""));
}

TEST(DumpFiles, SaysWhatIsTooLarge) {
  const auto scratch = ScratchFolder::Make();
  ArrayDump dump{.case_name = "T.a/1",
                 .array = "big",
                 .type = "<f4",
                 .extents = {1 << 13, 1 << 12},
                 .expected = {},
                 .got = {}};
  const auto lines = WriteArrays({dump}, scratch->path());
  ASSERT_TRUE(lines);
  EXPECT_THAT(*lines, ElementsAre(HasSubstr("33,554,432 elements; at most 16,777,216")));
}

TEST(ChosenCases, TakesShortAndFullNamesAndListsThem) {
  const std::vector<std::string> all = {"S/T.Right/3x4", "S/T.Right/5x6", "S/T.InBounds/3x4"};
  EXPECT_THAT(ChosenCases({"3x4"}, all).value(), ElementsAre("S/T.Right/3x4", "S/T.InBounds/3x4"));
  EXPECT_THAT(ChosenCases({"S/T.Right/5x6"}, all).value(), ElementsAre("S/T.Right/5x6"));
  const auto none = ChosenCases({"3x5"}, all);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("there is no case 3x5; do you mean 3x4?"));
  EXPECT_EQ(none.error().hint, "choose one of: 3x4, 5x6");
}

}  // namespace
}  // namespace warpcheck

#include "similarity/similarity.h"

#include <gtest/gtest.h>

#include <string>

namespace warpcheck::similarity {
namespace {

// Returns a kernel of `lines` statements, which shares statements only with kernels of the same
// seed.
std::string Code(int seed, int lines = 30) {
  static const char* const kSigns[] = {"+", "-", "*", "/", "%", "&", "|", "^"};
  std::string text = "__global__ void k(float* a, int n) {\n";
  unsigned state = static_cast<unsigned>(seed) * 7919 + 1;
  for (int i = 0; i < lines; ++i) {
    text += "  a[n]";
    for (int j = 0; j < 6; ++j) {
      state = state * 1664525 + 1013904223;
      text += std::string(j == 0 ? " = " : "") + (j == 0 ? "a[0] " : "n ") +
              kSigns[(state >> 16) % 8] + " ";
    }
    text += "n;\n";
  }
  return text + "}\n";
}

Program Of(const std::string& id, const std::string& source) {
  return {.id = id, .sources = {{"a.cu", source}}};
}

TEST(Similarity, NamesCopiesOfAClassOfTwo) {
  const Comparison two({Of("a", Code(1)), Of("b", "// mine\n" + Code(1))}, {});
  const auto pairs = two.Pairs();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_TRUE(pairs[0].named());
  EXPECT_DOUBLE_EQ(pairs[0].text, 1);
  EXPECT_FALSE(pairs[0].ptx);
}

TEST(Similarity, NamesNobodyWhoHasWrittenSomethingElse) {
  for (const Pair& pair : Comparison({Of("a", Code(1)), Of("b", Code(2))}, {}).Pairs()) {
    EXPECT_FALSE(pair.named());
  }
}

TEST(Similarity, RanksPairs) {
  const Comparison three({Of("a", Code(1)), Of("b", Code(2)), Of("c", Code(1) + Code(3, 3))}, {});
  const auto pairs = three.Pairs();
  ASSERT_FALSE(pairs.empty());
  EXPECT_EQ(pairs[0].first, 0U);
  EXPECT_EQ(pairs[0].second, 2U);
}

TEST(Similarity, HasNoPairsOfOneStudent) {
  EXPECT_TRUE(Comparison({Of("a", Code(1))}, {}).Pairs().empty());
  EXPECT_TRUE(Comparison({}, {}).Pairs().empty());
}

TEST(Similarity, TakesTheSkeletonOut) {
  const Program skeleton = Of("", Code(5));
  const Comparison untouched({Of("a", Code(5)), Of("b", Code(5))}, skeleton);
  EXPECT_TRUE(untouched.Pairs().empty());
  EXPECT_TRUE(untouched.IsSkeleton(0));
  const Comparison own({Of("a", Code(5) + Code(1)), Of("b", Code(5) + Code(2))}, skeleton);
  EXPECT_FALSE(own.IsSkeleton(0));
  for (const Pair& pair : own.Pairs()) EXPECT_FALSE(pair.named());
  EXPECT_TRUE(Comparison({Of("a", Code(5)), Of("b", Code(5))}, {}).Pairs()[0].named());
}

TEST(Similarity, SaysNothingOfWhatIsTooShort) {
  const auto pairs =
      Comparison({Of("a", "a[n] = b[0] + n * n;"), Of("b", "x[y] = z[0] + y * y;")}, {}).Pairs();
  ASSERT_EQ(pairs.size(), 1U);
  EXPECT_DOUBLE_EQ(pairs[0].text, 1);
  EXPECT_FALSE(pairs[0].named());
}

// Thirty students have written the one obvious solution, and two of them share something that
// nobody else has.
TEST(Similarity, LetsWhatEverybodyHasWeighLittle) {
  std::vector<Program> programs;
  for (int i = 0; i < 30; ++i) {
    const int own = i < 2 ? 1000 : 100 + i;
    programs.push_back(Of("s" + std::to_string(i), Code(1, 10) + Code(own, 20)));
  }
  const Comparison comparison(programs, {});
  const auto pairs = comparison.Pairs();
  EXPECT_TRUE(pairs[0].named());
  EXPECT_EQ(pairs[0].first, 0U);
  EXPECT_EQ(pairs[0].second, 1U);
  EXPECT_FALSE(pairs[1].named());
}

TEST(Similarity, NamesNobodyWhereAllAreTheSame) {
  std::vector<Program> programs;
  for (int i = 0; i < 60; ++i) programs.push_back(Of("s" + std::to_string(i), Code(1, 10)));
  for (const Pair& pair : Comparison(programs, {}).Pairs()) EXPECT_FALSE(pair.named());
}

TEST(Similarity, TakesAnySource) {
  std::string large;
  while (large.size() < 8'000'000) large += "a+b;c*d(e)[f]{g}";
  const Comparison comparison({Of("empty", ""),
                               Of("comment", "/* a"),
                               Of("text", "f(\"a"),
                               Of("bytes", "\xff\xfe\x80 = \xc3;"),
                               Of("large", large),
                               {.id = "none"},
                               {.id = "ptx", .sources = {{"a.cu", "x"}}, .ptx = {"no PTX", ""}}},
                              {});
  EXPECT_TRUE(comparison.IsSkeleton(0));
  EXPECT_FALSE(comparison.HasPtx(6));
  for (const Pair& pair : comparison.Pairs()) EXPECT_FALSE(pair.named());
}

TEST(Similarity, TellsWhichLinesAreAlike) {
  const Comparison comparison(
      {Of("a", "\n\nx = a + b * c - d;\ny = 1;"), Of("b", "q[3] = z;\nf = g + h * i - j;")}, {});
  const AlikeLines lines = comparison.Lines(0, 1);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.begin()->first, (Place{.file = 0, .line = 3}));
  EXPECT_EQ(lines.begin()->second, (Place{.file = 0, .line = 2}));
}

}  // namespace
}  // namespace warpcheck::similarity

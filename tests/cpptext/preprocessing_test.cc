#include "cpptext/preprocessing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace warpcheck::cpptext {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Returns the lines, from 1, in which a compiler may see `# number`.
std::vector<int> LinesOfNumbers(std::string_view text) {
  std::vector<int> lines;
  for (const std::size_t at : FindPossibleDirectives(text).numbers) {
    const std::string_view before = text.substr(0, at);
    lines.push_back(1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')));
  }
  return lines;
}

TEST(CxxText, BlanksCommentsAndLiterals) {
  const auto blank = [](std::string_view text) { return WithoutCommentsAndLiterals(text); };
  EXPECT_EQ(blank("a // b /*\nc /* d\n// */ e"), "a        \nc     \n      e");
  EXPECT_EQ(blank("f(\"/*\", '\"', 1'000) /* ' */;"), "f(    ,    , 1'000)        ;");
  EXPECT_EQ(blank("a // b \\\nc\nd"), "a       \n \nd");
  EXPECT_EQ(blank("R\"x(\" /* )\"\n)x\" a R \"(b\" c"), "           \n    a R      c");
  EXPECT_EQ(blank("\"\\\"//\" a"), "       a");
  // The end of the text also ends its last line.
  EXPECT_EQ(blank("don't /*\nb */"), "don     \nb */");
  EXPECT_EQ(blank("/* a"), "    ");
  EXPECT_EQ(blank(""), "");
}

TEST(CxxText, LooksAtEachByteAFewTimes) {
  constexpr std::size_t kBytes = 1'000'000;
  for (const char* part :
       {"<", "#include <", "R\"", "\"", "'", "1''", "1'", "\\\"", "/*", "//", "a", "u8R\"x(", "\\ ",
        "\xc3\xa9", "\xc3\xa9R\"(", "\"a\"b", "1\xc3\xa9", "1e+", "#\n"}) {
    for (const char* before : {"", "#define A ", "#include "}) {
      std::string text = before;
      while (text.size() < kBytes) text += part;
      std::size_t work = 0;
      EXPECT_EQ(WithoutCommentsAndLiterals(text, &work).size(), text.size());
      EXPECT_LE(work, 4 * text.size()) << before << part << "...";
      EXPECT_GE(work, 1U);
    }
  }
}

TEST(CxxText, SeesNumbersBehindHashes) {
  EXPECT_THAT(LinesOfNumbers("# 1 \"f\"\na # 2\n \t%:3\n#/* \n*/ 4\n#line 5\n"),
              ElementsAre(1, 3, 5));
  EXPECT_THAT(LinesOfNumbers("// # 1\n/*\n# 2 */ x\n\"\\\n# 3\"\nR\"(\n# 4\n)\"\n?\?=5"),
              IsEmpty());
  EXPECT_THAT(LinesOfNumbers("/* */ # 1\n#\\\n2\n"), ElementsAre(1, 3));
}

TEST(CxxText, IsNotMisledByCommentsAndLiterals) {
  for (const char* before : {"// /*",
                             "\"/*\"",
                             "'\"' /* ' */",
                             "\"\\\\\" /* */",
                             "R\"(/*)\"",
                             "R\"x(\n)\" /* )x\"",
                             "1'000 /* ' */",
                             "1'0 '/*'",
                             "FOOR\"(\"",
                             "\"a\"_b\"/*\"",
                             "don't /*",
                             "/* // */",
                             "// a \\\n b /*",
                             "/*/ */",
                             "#include <a/*b>",
                             "#if HAS(</*>)",
                             "#include \"a\\\" \"/*\"",
                             "#define A R\"(",
                             "\"a\"R\"(\"",
                             "\xc3\xa9R\"(\"",
                             "?\?/",
                             "%:define A /* */",
                             "\"/* \\ \n\""}) {
    const std::string text = std::string(before) + "\n# 7 \"file\" 1\n";
    EXPECT_THAT(LinesOfNumbers(text), testing::SizeIs(1)) << text;
  }
  EXPECT_THAT(LinesOfNumbers("\xef\xbb\xbf# 1 \"f\"\n"), ElementsAre(1));
  EXPECT_THAT(LinesOfNumbers(std::string_view("\0# 1 \"f\"\n", 9)), ElementsAre(1));
  // GCC ends a line at this character.
  EXPECT_THAT(LinesOfNumbers("// a\r# 1 \"f\"\n"), ElementsAre(1));
  EXPECT_THAT(LinesOfNumbers("// a \\ \nb\n# 1 \"f\"\n"), ElementsAre(3));
}

TEST(CxxText, NamesRawStrings) {
  const std::string text = "f(R\"(a)\", u8R\"x(\n)\" )x\", \"R\\\"(b)\");";
  std::vector<std::string> found;
  for (const TextRange& raw : FindPossibleDirectives(text).raw_strings) {
    found.push_back(text.substr(raw.begin, raw.end - raw.begin));
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre("R\"(a)\"", "u8R\"x(\n)\" )x\""));
}

TEST(CxxText, GivesUpWhereThereAreTooManyReadings) {
  std::string text = "#define A ";
  for (int i = 0; i < 2000; ++i) text += "<a>";
  EXPECT_FALSE(FindPossibleDirectives(text).complete);
  EXPECT_TRUE(FindPossibleDirectives("#define A <a>\n").complete);
}

}  // namespace
}  // namespace warpcheck::cpptext

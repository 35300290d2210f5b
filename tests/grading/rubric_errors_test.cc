// Compares the full text of every error of a rubric.
#include <gtest/gtest.h>

#include "grading/rubric.h"

namespace warpcheck {
namespace {

struct BadRubric {
  std::string name;
  std::string toml;
  std::string error;
};

void PrintTo(const BadRubric& rubric, std::ostream* out) { *out << rubric.name; }

// Returns a rubric with the text `rest` from line 5 on: keys of its only criterion, or further
// criteria.
std::string With(const std::string& rest) {
  return "title = \"T\"\n[[criterion]]\nname = \"Right\"\npoints = 40\n" + rest;
}

std::string AnotherCriterion(const std::string& name, const std::string& rest) {
  return "[[criterion]]\nname = \"" + name + "\"\npoints = 1\ntests = \"*\"\n" + rest;
}

std::vector<BadRubric> All() {
  const std::string tests = "tests = \"*\"\n";
  return {
      {"NoTitle", "[[criterion]]\nname = \"A\"\npoints = 1\n" + tests,
       "r.toml:1:1: error: missing key \"title\"\n  write title = \"Matrix transpose\""},
      {"EmptyTitle", "title = \"\"\n" + AnotherCriterion("A", ""),
       "r.toml:1:9: error: \"title\" must be a text that is not empty\n  write title = \"Matrix "
       "transpose\""},
      {"TitleOfAnotherType", "title = 3\n" + AnotherCriterion("A", ""),
       "r.toml:1:9: error: \"title\" must be a text that is not empty\n  write title = \"Matrix "
       "transpose\""},
      {"NoCriteria", "title = \"T\"\n",
       "r.toml:1:1: error: no criteria\n  add at least one [[criterion]] with name, points and "
       "tests"},
      {"EmptyListOfCriteria", "title = \"T\"\ncriterion = []\n",
       "r.toml:2:13: error: \"criterion\" must be a list of tables\n  write [[criterion]], in "
       "double brackets, before the keys of each criterion"},
      {"CriterionInSingleBrackets", "title = \"T\"\n[criterion]\nname = \"A\"\n",
       "r.toml:2:1: error: \"criterion\" must be a list of tables\n  write [[criterion]], in "
       "double brackets, before the keys of each criterion"},
      {"UnknownKey", "titel = \"T\"\n" + AnotherCriterion("A", ""),
       "r.toml:1:9: error: unknown key \"titel\"\n  a rubric may have: title, device, compile, "
       "hints, criterion, hidden_points"},
      {"UnknownKeyOfACriterion", With(tests + "point = 3\n"),
       "r.toml:6:9: error: unknown key \"point\"\n  a criterion may have: id, name, points, tests, "
       "requires, partial, hidden"},
      {"UnknownDevice", "title = \"T\"\ndevice = \"tpu\"\n" + AnotherCriterion("A", ""),
       "r.toml:2:10: error: \"device\" must be \"gpu\" or \"emulator\"\n  leave it out: the "
       "emulator judges, and a GPU is its witness"},
      {"CompileOfAnotherType", "title = \"T\"\ncompile = 20\n" + AnotherCriterion("A", ""),
       "r.toml:2:11: error: \"compile\" must be a table\n  write [compile], and its keys below it"},
      {"UnknownKeyOfCompile", "title = \"T\"\n[compile]\nstd = 20\n" + AnotherCriterion("A", ""),
       "r.toml:3:7: error: unknown key \"std\"\n  [compile] may have: standard, flags, allow, "
       "forbid"},
      {"StandardAsText",
       "title = \"T\"\n[compile]\nstandard = \"c++20\"\n" + AnotherCriterion("A", ""),
       "r.toml:3:12: error: \"standard\" must be a number\n  write standard = 20"},
      {"StandardThatIsNotOffered",
       "title = \"T\"\n[compile]\nstandard = 23\n" + AnotherCriterion("A", ""),
       "r.toml:3:12: error: C++23 is not offered\n  the standards are: 17, 20"},
      {"UnknownGift", "title = \"T\"\n[hints]\ngive = \"all\"\n" + AnotherCriterion("A", ""),
       "r.toml:3:8: error: \"give\" has a value that is not known\n  write give = \"line\", "
       "\"kind\" or \"change\""},
      {"FlagsOfAnotherType", "title = \"T\"\n[compile]\nflags = [20]\n" + AnotherCriterion("A", ""),
       "r.toml:3:10: error: \"flags\" must be a text or a list of texts\n  write flags = \"...\" "
       "or flags = [\"...\", \"...\"]"},
      {"FlagThatIsNotOffered",
       "title = \"T\"\n[compile]\nflags = [\"--extended-lambda\", \"-O0\"]\n" +
           AnotherCriterion("A", ""),
       "r.toml:3:9: error: the flag \"-O0\" is not offered\n  the flags are: --extended-lambda, "
       "--expt-relaxed-constexpr, --use_fast_math, --fmad=false, --ftz=true, --prec-div=false, "
       "--prec-sqrt=false, --restrict, -DNAME=VALUE"},
      {"NoName", "title = \"T\"\n[[criterion]]\npoints = 1\n" + tests,
       "r.toml:2:1: error: missing key \"name\"\n  write name = \"Right for every shape\""},
      {"NoPoints", "title = \"T\"\n[[criterion]]\nname = \"A\"\n" + tests,
       "r.toml:2:1: error: missing key \"points\"\n  write points = 40"},
      {"NegativePoints", "title = \"T\"\n[[criterion]]\nname = \"A\"\npoints = -1\n" + tests,
       "r.toml:4:10: error: \"points\" must be a number from 0 to 1000000 with at most two "
       "decimals\n  write points = 40 or points = 12.5"},
      {"PointsThatAreNoNumber",
       "title = \"T\"\n[[criterion]]\nname = \"A\"\npoints = nan\n" + tests,
       "r.toml:4:10: error: \"points\" must be a number from 0 to 1000000 with at most two "
       "decimals\n  write points = 40 or points = 12.5"},
      {"PointsAsText", "title = \"T\"\n[[criterion]]\nname = \"A\"\npoints = \"40\"\n" + tests,
       "r.toml:4:10: error: \"points\" must be a number from 0 to 1000000 with at most two "
       "decimals\n  write points = 40 or points = 12.5"},
      {"NoTests", With(""),
       "r.toml:2:1: error: missing key \"tests\"\n  write tests = \"*.MatchesReference/*\""},
      {"EmptyListOfTests", With("tests = []\n"),
       "r.toml:5:9: error: \"tests\" is empty\n  name at least one test: tests = \"*.Matches*\""},
      {"TestsOfAnotherType", With("tests = [\"*\", 3]\n"),
       "r.toml:5:15: error: \"tests\" must be a text or a list of texts\n  write tests = \"...\" "
       "or tests = [\"...\", \"...\"]"},
      {"PartialOfAnotherType", With(tests + "partial = 3\n"),
       "r.toml:6:11: error: \"partial\" must be true or false\n  write partial = true"},
      {"NameWithoutLetters", "title = \"T\"\n" + AnotherCriterion("???", ""),
       "r.toml:2:1: error: no id can be made from the name \"???\"\n  write id = \"...\""},
      {"SecondId", With(tests + AnotherCriterion("right!", "")),
       "r.toml:6:1: error: a second criterion with the id \"right\"\n  give each criterion another "
       "name, or an id of its own"},
      {"UnknownRequirement", With(tests + "requires = \"left\"\n" + AnotherCriterion("B", "")),
       "r.toml:6:12: error: requires \"left\", which is not the id of a criterion\n  the ids are: "
       "right, b"},
      {"RequirementOfAnotherType", With(tests + "requires = 1\n"),
       "r.toml:6:12: error: \"requires\" must be a text or a list of texts\n  write requires = "
       "\"...\" or requires = [\"...\", \"...\"]"},
      {"RequiresItself", With(tests + "requires = \"right\"\n"),
       "r.toml:6:12: error: \"right\" requires itself, directly or through others\n  remove one of "
       "the \"requires\" that lead in a circle"},
      {"Cycle",
       With(tests + "requires = [\"b\"]\n" + AnotherCriterion("B", "requires = \"c\"\n") +
            AnotherCriterion("C", "requires = \"right\"\n")),
       "r.toml:16:12: error: \"right\" requires itself, directly or through others\n  remove one "
       "of the \"requires\" that lead in a circle"},
      {"Syntax", "title = \"T\n",
       "r.toml:1:11: error: Error while parsing string: unescaped control characters other than "
       "TAB (U+0009) are explicitly prohibited"},
      {"SameKeyTwice", "title = \"T\"\ntitle = \"U\"\n",
       "r.toml:2:9: error: Error while parsing key-value pair: cannot redefine existing string "
       "'title'"},
      {"NotUtf8", "title = \"\xff\"\n", "r.toml:1:9: error: Encountered invalid utf-8 sequence"},
  };
}

class BadRubrics : public testing::TestWithParam<BadRubric> {};

TEST_P(BadRubrics, AreExplained) {
  const auto rubric = ParseRubric(GetParam().toml, "r.toml");
  ASSERT_FALSE(rubric);
  EXPECT_EQ(rubric.error().Text(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(All, BadRubrics, testing::ValuesIn(All()),
                         [](const auto& rubric) { return rubric.param.name; });

TEST(Rubric, TakesEveryKey) {
  const auto rubric =
      ParseRubric(With("tests = [\"*.A\", \"*.B-*.C\"]\npartial = true\nid = \"first\"\n" +
                       AnotherCriterion("Second one", "requires = [\"first\"]\n")),
                  "r.toml");
  ASSERT_TRUE(rubric) << rubric.error().Text();
  EXPECT_EQ(rubric->title, "T");
  ASSERT_EQ(rubric->criteria.size(), 2U);
  EXPECT_EQ(rubric->criteria[0].id, "first");
  EXPECT_TRUE(rubric->criteria[0].partial);
  EXPECT_TRUE(rubric->criteria[0].Matches("S.A"));
  EXPECT_FALSE(rubric->criteria[0].Matches("S.C"));
  EXPECT_EQ(rubric->criteria[1].id, "second-one");
  EXPECT_EQ(rubric->criteria[1].required, std::vector<std::size_t>{0});
  EXPECT_EQ(rubric->Total().Text(), "41");
}

}  // namespace
}  // namespace warpcheck

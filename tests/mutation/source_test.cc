#include "proof/mutation/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mutation/parsed.h"

namespace warpcheck::mutation {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string_view> Texts(const Source& source) {
  std::vector<std::string_view> texts;
  for (const Token& token : source.tokens()) texts.push_back(token.text);
  return texts;
}

std::vector<std::string_view> Texts(const Source& source, const std::vector<Range>& ranges) {
  std::vector<std::string_view> texts;
  for (const Range& range : ranges) texts.push_back(source.Text(range.begin, range.end));
  return texts;
}

std::string SourceErrorOf(const std::string& text) {
  const auto source = Source::Parse(text, "f.cu");
  return source ? "" : source.error().Text();
}

TEST(Lexer, TakesTheLongestMark) {
  EXPECT_THAT(Texts(Parsed("k<<<1, 2>>>(a >>= b->c << 1);")),
              ElementsAre("k", "<<<", "1", ",", "2", ">>>", "(", "a", ">>=", "b", "->", "c", "<<",
                          "1", ")", ";"));
}

TEST(Lexer, KeepsNumbersWhole) {
  EXPECT_THAT(Texts(Parsed("1.5e-3f-0x1Fu+1'000'000 .5 2e3+1")),
              ElementsAre("1.5e-3f", "-", "0x1Fu", "+", "1'000'000", ".5", "2e3", "+", "1"));
}

TEST(Lexer, LeavesCommentsAndDirectivesOut) {
  EXPECT_THAT(Texts(Parsed("#include <a.h> // x < y\n"
                           "#define N \\\n  32\n"
                           "a /* b < c\n */ d  // e \\\n f\n g")),
              ElementsAre("a", "d", "g"));
}

TEST(Lexer, KeepsLiteralsWhole) {
  const Source source = Parsed(R"T(f("a < \" b", '\'', R"x(c )" d)x") < e)T");
  EXPECT_THAT(Texts(source), ElementsAre("f", "(", R"T("a < \" b")T", ",", R"T('\'')T", ",",
                                         R"T(R"x(c )" d)x")T", ")", "<", "e"));
  EXPECT_EQ(source.tokens()[2].kind, Token::Kind::kText);
}

TEST(Lexer, KnowsLinesAndColumns) {
  const Source source = Parsed("a\n  /* \n */ b /**/ c");
  EXPECT_EQ(source.tokens()[1].line, 3);
  EXPECT_EQ(source.tokens()[1].column, 5);
  EXPECT_EQ(source.tokens()[2].column, 12);
}

TEST(Lexer, SaysWhatDoesNotEnd) {
  EXPECT_EQ(SourceErrorOf("a\n /* b"), "f.cu:2:2: error: a comment does not end");
  EXPECT_EQ(SourceErrorOf("a = \"b\n\";"), "f.cu:1:5: error: a literal does not end");
  EXPECT_EQ(SourceErrorOf("R\"x(a)\""), "f.cu:1:1: error: a literal does not end");
  EXPECT_EQ(SourceErrorOf("'\\"), "f.cu:1:1: error: a literal does not end");
}

TEST(Source, SaysWhichBracketIsAlone) {
  EXPECT_EQ(SourceErrorOf("f(a];"), "f.cu:1:4: error: ']' has no counterpart");
  EXPECT_EQ(SourceErrorOf("{\n f("), "f.cu:2:3: error: '(' has no counterpart");
}

TEST(Source, TellsBinaryOperatorsByTheirSpaces) {
  const Source source = Parsed("a < b, T<U>, -c, float* d, e * f");
  EXPECT_TRUE(source.IsBinary(1));    // the operator of a < b
  EXPECT_FALSE(source.IsBinary(5));   // the bracket of T<
  EXPECT_FALSE(source.IsBinary(9));   // the sign of -c
  EXPECT_FALSE(source.IsBinary(13));  // the pointer of float*
  EXPECT_TRUE(source.IsBinary(17));   // the operator of e * f
}

TEST(Source, DividesLists) {
  const Source source = Parsed("f(a, g(b, c), {d, e}[1]) h()");
  EXPECT_THAT(Texts(source, ListElements(source, 1)), ElementsAre("a", "g(b, c)", "{d, e}[1]"));
  EXPECT_THAT(ListElements(source, source.tokens().size() - 2), IsEmpty());
}

TEST(Source, FindsOperands) {
  const Source source = Parsed("x = (a || b) + c && d[e && f] ? 1 : 2;");
  const auto at = static_cast<std::size_t>(9);
  ASSERT_TRUE(source.Is(at, "&&"));
  EXPECT_THAT(Texts(source, {LeftOperand(source, at), RightOperand(source, at)}),
              ElementsAre("(a || b) + c", "d[e && f]"));
  const auto question = static_cast<std::size_t>(16);
  ASSERT_TRUE(source.Is(question, "?"));
  EXPECT_THAT(Texts(source, {ConditionBefore(source, question)}),
              ElementsAre("(a || b) + c && d[e && f]"));
}

}  // namespace
}  // namespace warpcheck::mutation

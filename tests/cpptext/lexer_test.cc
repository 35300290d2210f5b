#include "cpptext/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace warpcheck::cpptext {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Returns the tokens without comments and directives.
std::vector<Token> Code(std::string_view source) {
  std::vector<Token> tokens = Lex(source);
  std::erase_if(tokens, [](const Token& token) {
    return token.kind == TokenKind::kComment || token.kind == TokenKind::kDirective;
  });
  return tokens;
}

std::vector<std::string> Texts(std::string_view source) {
  std::vector<std::string> texts;
  for (const Token& token : Code(source)) texts.emplace_back(token.text);
  return texts;
}

TEST(Lexer, CutsCudaIntoTokens) {
  EXPECT_THAT(Texts("k<<<1, 2>>>(a->b[i] += 1.5e-3f);"),
              ElementsAre("k", "<<<", "1", ",", "2", ">>>", "(", "a", "->", "b", "[", "i", "]",
                          "+=", "1.5e-3f", ")", ";"));
  EXPECT_THAT(Texts("1'000'000u 0x1Fp+2 .5 a.x"),
              ElementsAre("1'000'000u", "0x1Fp+2", ".5", "a", ".", "x"));
}

TEST(Lexer, TellsCommentsAndDirectives) {
  const auto tokens = Lex("#define A(x) /* b\n*/ x // c\n#if 1");
  ASSERT_EQ(tokens.size(), 6U);
  EXPECT_EQ(tokens[0].kind, TokenKind::kDirective);
  EXPECT_EQ(tokens[0].text, "#define A(x)");
  EXPECT_EQ(tokens[1].kind, TokenKind::kComment);
  EXPECT_EQ(tokens[1].text, "/* b\n*/");
  EXPECT_EQ(tokens[2].text, "x");
  EXPECT_EQ(tokens[3].text, "// c");
  EXPECT_EQ(tokens[4].kind, TokenKind::kDefinitionEnd);
  EXPECT_EQ(tokens[5].text, "#if 1");
  EXPECT_EQ(tokens[5].line, 3);
}

TEST(Lexer, PassesOverComments) {
  EXPECT_THAT(Texts("a // b\nc /* d\ne */ f // g \\\nh\ni"), ElementsAre("a", "c", "f", "i"));
}

TEST(Lexer, TellsLines) {
  const auto tokens = Code("a\n/* \n */ b \\\n c\nR\"(\n)\" d");
  ASSERT_EQ(tokens.size(), 5U);
  EXPECT_EQ(tokens[1].line, 3);
  EXPECT_EQ(tokens[2].line, 4);
  EXPECT_EQ(tokens[3].line, 5);
  EXPECT_EQ(tokens[4].line, 6);
}

TEST(Lexer, TakesTextsAsOneToken) {
  EXPECT_THAT(Texts(R"(f("a // \" b", 'c', '\'', u8"d");)"),
              ElementsAre("f", "(", R"("a // \" b")", ",", "'c'", ",", R"('\'')", ",", "u8\"d\"",
                          ")", ";"));
  EXPECT_THAT(Texts("R\"x(a)\" )x\" b"), ElementsAre("R\"x(a)\" )x\"", "b"));
}

TEST(Lexer, TakesOfDirectivesWhatADefinitionStandsFor) {
  EXPECT_THAT(
      Texts("#include <vector>\n#  pragma unroll\n#define N 32\n"
            "#define AT(r, c) m[(r) * n + \\\n (c)]\n#if 1\nx\n#endif"),
      ElementsAre("32", ";", "m", "[", "(", "r", ")", "*", "n", "+", "(", "c", ")", "]", ";", "x"));
}

TEST(Lexer, EndsWithTheFile) {
  EXPECT_THAT(Texts("a /* b"), ElementsAre("a"));
  EXPECT_THAT(Texts("a \"b"), ElementsAre("a", "\"b"));
  EXPECT_THAT(Texts("a \"b\nc"), ElementsAre("a", "\"b", "c"));
  EXPECT_THAT(Texts("R\"x(a"), ElementsAre("R\"x(a"));
  EXPECT_THAT(Texts("R\"x"), ElementsAre("R", "\"x"));
  EXPECT_THAT(Texts("'\\"), ElementsAre("'\\"));
  EXPECT_THAT(Texts("#define"), ElementsAre(";"));
  EXPECT_THAT(Texts("#define A(b"), ElementsAre(";"));
  EXPECT_THAT(Texts("#"), IsEmpty());
  EXPECT_THAT(Texts("// \\"), IsEmpty());
  EXPECT_THAT(Texts(""), IsEmpty());
}

TEST(Lexer, TakesAnyBytes) {
  EXPECT_THAT(Texts("\xff\xfe\x80 = \xc3\xb6;"), ElementsAre("\xff\xfe\x80", "=", "\xc3\xb6", ";"));
  EXPECT_THAT(Texts(std::string("a\0b", 3)), ElementsAre("a", "b"));
  EXPECT_THAT(Texts("@`$"), ElementsAre("@", "`", "$"));
}

TEST(Lexer, StopsAtItsBound) { EXPECT_EQ(Lex(std::string(1000, '+'), 10).size(), 10U); }

}  // namespace
}  // namespace warpcheck::cpptext

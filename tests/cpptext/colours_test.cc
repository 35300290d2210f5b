#include "cpptext/colours.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace warpcheck::cpptext {
namespace {

// Returns the parts as a text such as "keyword:int literal:1".
std::string Coloured(const std::string& text) {
  std::string parts;
  for (const CodePart& part : CodeParts(text)) {
    parts += fmt::format("{}{}:{}", parts.empty() ? "" : " ", part.kind,
                         text.substr(part.begin, part.end - part.begin));
  }
  return parts;
}

TEST(CodeParts, OfCpp) {
  EXPECT_EQ(Coloured("for (int i = 0x10; x < 1.5e-3f; ++i) s = \"a // b\"; // c"),
            "keyword:for keyword:int literal:0x10 literal:1.5e-3f string:\"a // b\" comment:// c");
  EXPECT_EQ(
      Coloured("#include <cuda.h>\n#define N 4\nchar c = '\\''; /* a\nb */ auto x = R\"(y\")\";"),
      "directive:#include <cuda.h> directive:#define literal:4 keyword:char string:'\\'' "
      "comment:/* a\nb */ keyword:auto string:R\"(y\")\"");
  EXPECT_EQ(Coloured("x = 1'000'000 + y; // z"), "literal:1'000'000 comment:// z");
}

TEST(CodeParts, OfCuda) {
  EXPECT_EQ(Coloured("__global__ void k() { __shared__ float t[8]; t[threadIdx.x] = warpSize; "
                     "__syncthreads(); }\nk<<<1, 2>>>();"),
            "cuda:__global__ keyword:void cuda:__shared__ keyword:float literal:8 cuda:threadIdx "
            "cuda:warpSize cuda:__syncthreads literal:1 literal:2");
}

TEST(CodeParts, GoesOnAfterWhatIsNoCpp) {
  EXPECT_EQ(Coloured("int a;\n/* open\nint b;"), "keyword:int comment:/* open\nint b;");
  EXPECT_EQ(Coloured("\x01\x02 @ ` \\ $\nint b;"), "keyword:int");
  EXPECT_EQ(Coloured("char* s = \"open\nint b;"), "keyword:char string:\"open keyword:int");
  EXPECT_EQ(Coloured("#define A(x) \\\n  int x\r\nint \xc2\xb5; // gr\xc3\xbc\xc3\x9f"
                     "e"),
            "directive:#define keyword:int keyword:int comment:// gr\xc3\xbc\xc3\x9f"
            "e");
  EXPECT_EQ(Coloured(""), "");
  EXPECT_EQ(Coloured("\\"), "");
}

// For any text, the parts are in order, and no part splits a character of UTF-8.
TEST(CodeParts, AreInOrderForAnyText) {
  std::mt19937 random(7);
  const std::string pieces[] = {"/*",
                                "*/",
                                "//",
                                "\n",
                                "\"",
                                "'",
                                "\\",
                                "R\"(",
                                ")\"",
                                "#",
                                "?\?/",
                                "0x",
                                "1'0",
                                "<",
                                "\r",
                                "\t",
                                std::string(1, '\0'),
                                "é",
                                "漢",
                                "@",
                                "int",
                                " ",
                                "%:",
                                "<:",
                                "u8",
                                "...",
                                "__",
                                "$",
                                "\f",
                                "define",
                                "\xff"};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += pieces[random() % std::size(pieces)];
    std::size_t at = 0;
    for (const CodePart& part : CodeParts(text)) {
      ASSERT_LE(at, part.begin);
      ASSERT_LT(part.begin, part.end);
      ASSERT_LE(part.end, text.size());
      for (const std::size_t edge : {part.begin, part.end}) {
        ASSERT_TRUE(edge == text.size() || (static_cast<unsigned char>(text[edge]) & 0xc0) != 0x80)
            << text;
      }
      at = part.end;
    }
  }
}

}  // namespace
}  // namespace warpcheck::cpptext

#include "compile/messages/link_error.h"

#include <gtest/gtest.h>

namespace warpcheck::compile {
namespace {

TEST(LinkError, FindsDefinitions) {
  const char* const text =
      "// f(int) {\n"
      "int f(int x);\n"
      "void g() { f(1); if (f(2)) { } }\n"
      "template <class T>\n"
      "int\n"
      "f(int (*x)(int), T y)\n"
      "{ return 0; }\n";
  EXPECT_EQ(LineOfDefinition(text, "g"), 3);
  EXPECT_EQ(LineOfDefinition("int f(int x);\nint f(int x)\n{}\n", "f"), 2);
  EXPECT_EQ(LineOfDefinition(text + 12, "f"), 5);
  EXPECT_EQ(LineOfDefinition(text, "h"), 0);
  EXPECT_EQ(LineOfDefinition("f(", "f"), 0);
  EXPECT_EQ(LineOfDefinition("", ""), 0);
}

TEST(LinkError, TellsWhoDefinesItTwice) {
  const Sources sources{
      .files = {{"sub/a.cu", "int x;\nvoid f() {}\n"}, {"aa.cu", "\n\nvoid f() {}\n"}},
      .kernels = {"aa.cu", "sub/a.cu"}};
  const auto error = FindLinkError(
      "/usr/bin/ld: a.o: in function `__device_stub__Z1kv':\n"
      "a.cudafe1.cpp:(.text+0x1): multiple definition of `__device_stub__Z1kv'; "
      "aa.o:aa.cudafe1.cpp:"
      "(.text+0x1): first defined here\n"
      "a.cudafe1.cpp:(.text+0x10): multiple definition of `f()'; aa.o:aa.cudafe1.cpp:(.text+0x10): "
      "first defined here\n",
      sources);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "f() is defined in aa.cu and in sub/a.cu");
  EXPECT_EQ(error->where.Text(), "sub/a.cu:2");
  EXPECT_FALSE(FindLinkError("collect2: error: ld returned 1 exit status\n", sources));
}

// The objects have debug information: the linker names sources and lines.
TEST(LinkError, ReadsPlacesWithLines) {
  const Sources sources{.files = {{"a.cu", "void f() {}\n"},
                                  {"sub/b.cu", "\n\nvoid f() {}\n"},
                                  {"tools.h", "\nvoid g() {}\n"}},
                        .kernels = {"a.cu", "sub/b.cu"}};
  const auto two = FindLinkError(
      "/submission/sub/b.cu:3: multiple definition of `f()'; keep/a.o:/submission/a.cu:1: first "
      "defined here\n",
      sources);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->message, "f() is defined in a.cu and in sub/b.cu");
  EXPECT_EQ(two->where.Text(), "sub/b.cu:3");
  const auto header = FindLinkError(
      "/submission/tools.h:2: multiple definition of `g()'; keep/a.o:/submission/tools.h:2: first "
      "defined here\n",
      sources);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->message, "g() is defined in tools.h, which several files include");
  EXPECT_EQ(header->where.Text(), "tools.h:2");
}

}  // namespace
}  // namespace warpcheck::compile

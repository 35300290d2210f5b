#include <gtest/gtest.h>

#include "compile/compile_log.h"
#include "compile/ptxas_log.h"

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

TEST(PtxPlace, FollowsTheLinesOfTheSource) {
  const char* const ptx =
      ".visible .entry k()\n{\n\t.loc\t2 7 3\n\tadd.s32 \t%r1, %r2;\n}\n"
      ".visible .entry l()\n{\n ret;\n}\n.file 1 \"a.cu\"\n.file\t2 \"b.cuh\"\n";
  EXPECT_EQ(PlaceInPtx(ptx, 4).where.Text(), "b.cuh:7");
  EXPECT_EQ(PlaceInPtx(ptx, 4).text, "add.s32 \t%r1, %r2;");
  EXPECT_FALSE(PlaceInPtx(ptx, 8).where.known()) << "another function";
  EXPECT_EQ(PlaceInPtx(ptx, 99).text, "");
  EXPECT_EQ(PlaceInPtx("", 1).text, "");
}

TEST(PtxasPlace, ReadsAComplaint) {
  const auto complaint =
      ParsePtxasPlace("ptxas my k.ptx, line 29; error   : Unknown modifier '.instr'");
  ASSERT_TRUE(complaint);
  EXPECT_EQ(complaint->file, "my k.ptx");
  EXPECT_EQ(complaint->line, 29);
  EXPECT_EQ(complaint->kind, "error");
  EXPECT_EQ(complaint->message, "Unknown modifier '.instr'");
  for (const char* other : {"", "ptxas ", "ptxas fatal   : Ptx assembly aborted due to errors",
                            "ptxas a, line ", "k.cu(3): error: x, line 3; y : z"}) {
    EXPECT_FALSE(ParsePtxasPlace(other)) << other;
  }
}

}  // namespace
}  // namespace warpcheck::compile

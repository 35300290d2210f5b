#include "compile/ptx_place.h"

#include <gtest/gtest.h>

namespace warpcheck::compile {
namespace {

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

}  // namespace
}  // namespace warpcheck::compile

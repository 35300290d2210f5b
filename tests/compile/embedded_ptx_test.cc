#include "compile/embedded_ptx.h"

#include <gtest/gtest.h>

#include <string>

namespace warpcheck::compile {
namespace {

TEST(PtxDigest, IsOfTheWords) {
  const std::string plain = PtxDigest(".version 9.0\nadd.s32 %r1, %r2;\n.file 1 \"a//b  c\"\n");
  EXPECT_EQ(PtxDigest("// by nvcc\n.version\t9.0 /* so\n */\n\tadd.s32 \t%r1, %r2; // sum\n"
                      ".file 1 \"a//b  c\"\n\n" +
                      std::string(3, '\0')),
            plain);
  for (const char* other : {".version 9.0\nadd.s32 %r1, %r3;\n.file 1 \"a//b  c\"\n",
                            ".version 9.0\nadd.s32 %r1, %r2;\n.file 1 \"a//b c\"\n",
                            ".version 9.0\nadd.s32 %r1, %r2;\n.file 1 \"a//b  c\" ret;\n",
                            ".version 9.0", "", "\"", "/*", "//"}) {
    EXPECT_NE(PtxDigest(other), plain) << other;
  }
}

}  // namespace
}  // namespace warpcheck::compile

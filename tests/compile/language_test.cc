#include "compile/source/language.h"

#include <gtest/gtest.h>

namespace warpcheck::compile {
namespace {

std::string Refusal(std::string_view flag) {
  const auto checked = CheckFlag(flag);
  return checked ? "" : checked.error().message;
}

TEST(Language, DefaultsToTheStandardOfItsTime) {
  EXPECT_EQ(Language().Command(), "nvcc -std=c++20 -O3");
  EXPECT_EQ(NvccFlags({}, 75).front(), "-std=c++20");
  const Language chosen{.standard = 17, .flags = {"--extended-lambda", "-DTILE=16"}};
  EXPECT_EQ(chosen.Command(), "nvcc -std=c++17 -O3 --extended-lambda -DTILE=16");
  const std::vector<std::string> flags = NvccFlags(chosen, 90);
  EXPECT_EQ(flags.front(), "-std=c++17");
  EXPECT_EQ(flags.back(), "-DTILE=16");
}

TEST(Language, TakesFlagsThatReachTheKernels) {
  for (const char* flag : {"--extended-lambda", "-extended-lambda", "--use_fast_math",
                           "--fmad=false", "-DTILE", "-DTILE=16", "-Dx_1=-1.5e3f"}) {
    EXPECT_EQ(Refusal(flag), "") << flag;
  }
}

TEST(Language, RefusesOthersByName) {
  for (const char* flag : {"", "-D", "-D1", "-DX=$(id)", "-DX=a b", "-DX;y", "-o/x", "-Xcompiler",
                           "--extended-lambda -o x", "-O0", "-lcublas", "@file"}) {
    EXPECT_NE(Refusal(flag), "") << flag;
  }
  EXPECT_EQ(Refusal("-rdc=true"),
            "the flag \"-rdc=true\" is not offered: separate compilation is only needed for "
            "kernels that launch kernels, and warpcheck does not run those");
  EXPECT_EQ(
      Refusal("-maxrregcount=32"),
      "the flag \"-maxrregcount=32\" is not offered: it has no effect on a GPU, whose driver "
      "compiles the PTX: write __launch_bounds__(threads, blocks) or __maxnreg__(N) at the kernel");
  EXPECT_EQ(CheckStandard(14).error().hint, "the standards are: 17, 20");
}

}  // namespace
}  // namespace warpcheck::compile

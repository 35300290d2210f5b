#include "base/text/kernel_name.h"

#include <gtest/gtest.h>

namespace warpcheck {
namespace {

TEST(PlainKernelName, IsWithoutParametersAndNamespaces) {
  EXPECT_EQ(PlainKernelName("scale(float*, int)"), "scale");
  EXPECT_EQ(PlainKernelName("void ns::tile<float, 3>(float*, int)"), "tile");
  EXPECT_EQ(PlainKernelName("(anonymous namespace)::f(int)"), "f");
  EXPECT_EQ(PlainKernelName("void (anonymous namespace)::g<int>(int)"), "g");
  EXPECT_EQ(PlainKernelName("extern_c"), "extern_c");
  EXPECT_EQ(PlainKernelName(""), "");
}

TEST(KernelWithoutParameters, KeepsTemplateArguments) {
  EXPECT_EQ(KernelWithoutParameters("void ns::tile<float, 3>(float*, int)"), "ns::tile<float, 3>");
  EXPECT_EQ(KernelWithoutParameters("void run<(Mode)1>(int)"), "run<(Mode)1>");
  EXPECT_EQ(KernelWithoutParameters("(anonymous namespace)::f(int)"), "f");
  EXPECT_EQ(KernelWithoutParameters("extern_c"), "extern_c");
}

TEST(KernelOnOneLine, LeavesOutTheArgumentsOfLongNames) {
  const std::string many(80, 'x');
  EXPECT_EQ(KernelOnOneLine("scale(float*, int)"), "scale(float*, int)");
  EXPECT_EQ(KernelOnOneLine("void ns::tile<" + many + ">(int)"), "void ns::tile<...>(...)");
  EXPECT_EQ(KernelOnOneLine("scale(" + many + ")"), "scale(...)");
  EXPECT_EQ(KernelOnOneLine("(anonymous namespace)::f(" + many + ")"),
            "(anonymous namespace)::f(...)");
  EXPECT_EQ(KernelOnOneLine(many + many), many + many);
}

}  // namespace
}  // namespace warpcheck

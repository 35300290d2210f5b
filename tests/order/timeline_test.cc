// Tests how a timeline names its operations.
#include "order/timeline.h"

#include <gtest/gtest.h>

namespace warpcheck::order {
namespace {

std::string OfKernel(const std::string& kernel) {
  HostCall call;
  call.kind = HostCall::Kind::kKernel;
  call.kernel = kernel;
  return TextOf(call);
}

TEST(TextOfAnOperation, NamesAKernelWithoutItsParameters) {
  EXPECT_EQ(OfKernel("scale(float*, int)"), "kernel scale");
  EXPECT_EQ(OfKernel("extern_c"), "kernel extern_c");
  EXPECT_EQ(OfKernel("void ns::step<2, float>(ns::Step)"), "kernel ns::step<2, float>");
}

TEST(TextOfAnOperation, NamesAKernelOfAnAnonymousNamespace) {
  EXPECT_EQ(OfKernel("(anonymous namespace)::strip((anonymous namespace)::Strip)"), "kernel strip");
  EXPECT_EQ(OfKernel("void (anonymous namespace)::ns::f<int>(int)"), "kernel ns::f<int>");
  EXPECT_EQ(OfKernel("void f<(anonymous namespace)::T>(int)"), "kernel f<T>");
}

TEST(TextOfAnOperation, KeepsTheBracketsOfTemplateArguments) {
  EXPECT_EQ(OfKernel("void f<(Mode)1, g<(int)2> >(float*)"), "kernel f<(Mode)1, g<(int)2> >");
}

}  // namespace
}  // namespace warpcheck::order

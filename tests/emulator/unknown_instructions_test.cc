// Tests that a kernel with instructions that the parser does not know runs until it reaches one of
// them.
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kKernels = R"(
.visible .entry without(.param .u64 out)
{
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1], 7;
  ret;
}
.visible .entry converts(.param .u64 out)
{
  .reg .b16 %rs<4>;
  .reg .f32 %f<4>;
  cvt.rn.satfinite.e9m9x2.f32 %rs1, %f2, %f1;
  ret;
}
.visible .entry in_a_branch(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  setp.gt.u32 %p1, %r1, 100;
  @%p1 future.op.v2 {%r1, %r2}, [%rd1], {%r1}, 3;
  @!%p1 bra $end;
  .future 1, 2
  mov.u32 %r2, %future_register;
  add.s32 %r1, %r1;
$end:
  st.global.u32 [%rd1], 9;
  ret;
}
.visible .entry asks_for_a_register(.param .u64 out)
{
  .reg .b32 %r<4>;
  mov.u32 %r2, %future_register.x;
  ret;
}
.visible .entry with_an_attribute(.param .u64 out)
.futureattribute 3, 4
.maxntid 32
{
  ret;
}
.visible .entry with_a_type(.param .u64 out)
{
  .reg .f4096 %huge<4>;
  ret;
}
)";

class UnknownInstructions : public testing::Test {
 protected:
  UnknownInstructions() {
    test_.Load(kKernels);
    out_ = test_.Upload(std::vector<std::uint32_t>(1));
  }
  DeviceError Launch(const std::string& kernel) {
    return test_.Launch(kernel, {1, 1, 1}, {32, 1, 1}, Parameters().Add(out_));
  }
  void Refused(const std::string& kernel, const std::string& why) {
    EXPECT_EQ(Launch(kernel), DeviceError::kIllegalInstruction);
    EXPECT_THAT(test_.Findings(), ElementsAre("unsupported_code: " + why));
  }

  TestDevice test_;
  DeviceAddress out_ = 0;
};

TEST_F(UnknownInstructions, CostNoOtherKernel) {
  ASSERT_EQ(Launch("without"), DeviceError::kSuccess);
  EXPECT_THAT(test_.Findings(), IsEmpty());
  EXPECT_EQ(test_.Download<std::uint32_t>(out_, 1).at(0), 7U);
}

TEST_F(UnknownInstructions, MayStandWhereNobodyComes) {
  ASSERT_EQ(Launch("in_a_branch"), DeviceError::kSuccess);
  EXPECT_THAT(test_.Findings(), IsEmpty());
  EXPECT_EQ(test_.Download<std::uint32_t>(out_, 1).at(0), 9U);
}

TEST_F(UnknownInstructions, EndTheKernelThatExecutesThem) {
  Refused("converts",
          "'cvt.rn.satfinite.e9m9x2.f32 %rs1, %f2, %f1;' in line 16 of the PTX is not supported by "
          "the emulator: 'cvt' does not take the suffix '.satfinite'");
}

TEST_F(UnknownInstructions, AreSpecialRegistersToo) {
  Refused("asks_for_a_register",
          "'mov.u32 %r2, %future_register.x;' in line 39 of the PTX is not supported by the "
          "emulator: '%future_register.x' is neither a declared register nor a supported special "
          "register");
}

TEST_F(UnknownInstructions, AreDirectivesToo) {
  Refused("with_an_attribute",
          "'.futureattribute 3, 4' in line 43 of the PTX is not supported by the emulator: unknown "
          "directive '.futureattribute'");
}

TEST_F(UnknownInstructions, AreTypesToo) {
  Refused("with_a_type",
          "'.reg .f4096 %huge<4>;' in line 50 of the PTX is not supported by the emulator: "
          "expected a register type, got '.f4096'");
}

}  // namespace
}  // namespace warpcheck::emulator

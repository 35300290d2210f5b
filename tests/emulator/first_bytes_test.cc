// Tests accesses that reach past the end of their memory: what lies in it is loaded and stored, as
// on an H200, and the finding stays.
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t kPoison = 0xffffffff;
using Words = std::vector<std::uint32_t>;

// Runs one thread with an array in %rd1 and a result of 8 words in %rd2.
class FirstBytes : public testing::Test {
 protected:
  void Run(std::string_view body) {
    device.Load(std::string(R"(
.visible .entry k(.param .u64 array, .param .u64 result)
{
  .reg .pred %p<9>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<9>;
  .shared .align 16 .b8 smem[64];
  ld.param.u64 %rd1, [array];
  ld.param.u64 %rd2, [result];
)") + std::string(body) +
                "\n  ret;\n}\n");
    result = device.Upload(Words(8));
    ASSERT_EQ(device.Launch("k", kSingle, {1, 1, 1}, Parameters().Add(array).Add(result)),
              DeviceError::kSuccess);
  }
  Words Result(std::size_t count) { return device.Download<std::uint32_t>(result, count); }

  TestDevice device;
  DeviceAddress array = 0;
  DeviceAddress result = 0;
};

TEST_F(FirstBytes, OfAWordAreLoaded) {
  array = device.Upload(std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6});
  Run("ld.global.u32 %r1, [%rd1+4]; st.global.u32 [%rd2], %r1;");
  EXPECT_THAT(device.Findings(), ElementsAre(HasSubstr("out_of_bounds_read")));
  EXPECT_THAT(Result(1), ElementsAre(0xffff0605));
}

TEST_F(FirstBytes, OfAVectorAreLoaded) {
  array = device.Upload(Words{1, 2, 3, 4, 5, 6, 7});
  Run("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16]; "
      "st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};");
  EXPECT_THAT(device.Findings(), ElementsAre(HasSubstr("out_of_bounds_read")));
  EXPECT_THAT(Result(4), ElementsAre(5, 6, 7, kPoison));
}

TEST_F(FirstBytes, OfAVectorAreStored) {
  array = device.Upload(Words{1, 2, 3, 4, 5, 6, 7});
  Run("mov.u32 %r1, 11; mov.u32 %r2, 12; mov.u32 %r3, 13; mov.u32 %r4, 14; "
      "st.global.v4.u32 [%rd1+16], {%r1, %r2, %r3, %r4};");
  EXPECT_THAT(device.Findings(), ElementsAre(HasSubstr("out_of_bounds_write")));
  EXPECT_THAT(device.Download<std::uint32_t>(array, 7), ElementsAre(1, 2, 3, 4, 11, 12, 13));
}

TEST_F(FirstBytes, AreCopiedAsynchronously) {
  array = device.Upload(Words{1, 2, 3, 4, 5, 6, 7});
  Run("mov.u32 %r9, smem; cp.async.cg.shared.global [%r9], [%rd1+16], 16; cp.async.wait_all; "
      "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r9]; "
      "st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};");
  EXPECT_THAT(device.Findings(), ElementsAre(HasSubstr("out_of_bounds_read")));
  EXPECT_THAT(Result(4), ElementsAre(5, 6, 7, kPoison));
}

// A copy that asks for fewer bytes reads no others: it is right at the end of an array.
TEST_F(FirstBytes, AreAllThatASmallerCopyReads) {
  array = device.Upload(Words{1, 2, 3, 4, 5, 6, 7});
  Run("mov.u32 %r9, smem; mov.u32 %r8, 12; cp.async.cg.shared.global [%r9], [%rd1+16], 16, %r8; "
      "cp.async.wait_all; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r9]; "
      "st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};");
  EXPECT_THAT(device.Findings(), IsEmpty());
  EXPECT_THAT(Result(4), ElementsAre(5, 6, 7, 0));
}

TEST_F(FirstBytes, OfSharedMemoryAreLoaded) {
  array = device.Upload(Words{1});
  Run("mov.u32 %r9, smem; mov.u32 %r1, 5; st.shared.u32 [%r9+60], %r1; "
      "ld.shared.v2.u32 {%r2, %r3}, [%r9+56]; ld.shared.u32 %r4, [%r9+60]; "
      "st.global.u32 [%rd2], %r3;");
  EXPECT_THAT(Result(1), ElementsAre(5));
}

// All of the access lies outside: no byte is moved.
TEST_F(FirstBytes, AreNoneOfAnAccessBehindTheEnd) {
  array = device.Upload(Words{1, 2, 3, 4});
  Run("ld.global.v2.u32 {%r1, %r2}, [%rd1+16]; st.global.v2.u32 [%rd2], {%r1, %r2};");
  EXPECT_THAT(device.Findings(), ElementsAre(HasSubstr("out_of_bounds_read")));
  EXPECT_THAT(Result(2), ElementsAre(kPoison, kPoison));
}

}  // namespace
}  // namespace warpcheck::emulator

// Tests where mbarrier objects may lie. async_copies_test.cc and data/make_async.py test what they
// do.
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kMbarrierKernels = R"(
.visible .entry in_global_memory(.param .u64 out)
{
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mbarrier.init.b64 [%rd1], 1;
  st.global.u32 [%rd1+8], 1;
  ret;
}
.visible .entry in_local_memory(.param .u64 out)
{
  .local .align 8 .b8 own[8];
  .reg .b64 %rd<4>;
  mov.u64 %rd1, own;
  cvta.local.u64 %rd1, %rd1;
  mbarrier.init.b64 [%rd1], 1;
  mbarrier.arrive.b64 %rd2, [%rd1];
  ret;
}
.visible .entry in_shared_memory(.param .u64 out)
{
  .shared .align 8 .b64 barrier;
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, barrier;
  cvta.shared.u64 %rd2, %rd2;
  mbarrier.init.b64 [%rd2], 1;
  mbarrier.arrive.b64 %rd3, [%rd2];
  st.global.u32 [%rd1], 3;
  ret;
}
)";

class Mbarriers : public testing::Test {
 protected:
  Mbarriers() {
    test_.Load(kMbarrierKernels);
    out_ = test_.Upload(std::vector<std::uint32_t>(16));
  }
  DeviceError Launch(const std::string& kernel) {
    return test_.Launch(kernel, {1, 1, 1}, {1, 1, 1}, Parameters().Add(out_));
  }

  TestDevice test_;
  DeviceAddress out_ = 0;
};

TEST_F(Mbarriers, LieInSharedMemory) {
  ASSERT_EQ(Launch("in_shared_memory"), DeviceError::kSuccess);
  EXPECT_THAT(test_.Findings(), IsEmpty());
  EXPECT_EQ(test_.Download<std::uint32_t>(out_, 1).at(0), 3U);
}

constexpr char kMbarrierElsewhere[] =
    "illegal_address: uses an mbarrier object outside of shared memory, which PTX does not allow";

TEST_F(Mbarriers, EndAKernelInGlobalMemory) {
  EXPECT_EQ(Launch("in_global_memory"), DeviceError::kIllegalAddress);
  EXPECT_THAT(test_.Findings(), ElementsAre(kMbarrierElsewhere));
}

TEST_F(Mbarriers, EndAKernelInLocalMemory) {
  EXPECT_EQ(Launch("in_local_memory"), DeviceError::kIllegalAddress);
  EXPECT_THAT(test_.Findings(), ElementsAre(kMbarrierElsewhere));
}

}  // namespace
}  // namespace warpcheck::emulator

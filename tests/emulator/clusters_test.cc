// Tests thread block clusters. They are supported only as far as every block is a cluster by
// itself.
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kKernels = R"(
.visible .entry place(.param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %clusterid.x;
  mov.u32 %r2, %nclusterid.x;
  mov.b32 %r3, %cluster_ctarank;
  mov.b32 %r4, %cluster_nctarank;
  mov.u32 %r5, %cluster_ctaid.x;
  mov.u32 %r6, %cluster_nctaid.x;
  mul.wide.u32 %rd2, %r1, 24;
  add.u64 %rd1, %rd1, %rd2;
  st.global.v2.u32 [%rd1], {%r1, %r2};
  st.global.v2.u32 [%rd1+8], {%r3, %r4};
  st.global.v2.u32 [%rd1+16], {%r5, %r6};
  ret;
}
.visible .entry pairs(.param .u64 out)
.explicitcluster
.reqnctapercluster 2, 1, 1
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.b32 %r1, %cluster_ctarank;
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry pairs_that_do_not_look(.param .u64 out)
.reqnctapercluster 2, 1, 1
{
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  st.global.u32 [%rd1], 7;
  ret;
}
.visible .entry waits(.param .u64 out)
{
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
}
.visible .entry waits_in_clusters_alone(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.b32 %r1, %cluster_nctarank;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra $alone;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  mapa.u64 %rd2, %rd1, 1;
$alone:
  @!%p1 mapa.u64 %rd2, %rd1, 1;
  st.global.u32 [%rd1], 5;
  ret;
}
.visible .entry pairs_that_may_wait(.param .u64 out)
.reqnctapercluster 2, 1, 1
{
  .reg .pred %p<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  setp.eq.u64 %p1, %rd1, 0;
  @%p1 mapa.u64 %rd2, %rd1, 1;
  ret;
}
)";

class Clusters : public testing::Test {
 protected:
  Clusters() {
    test_.Load(kKernels);
    out_ = test_.Upload(std::vector<std::uint32_t>(12));
  }
  DeviceError Launch(const std::string& kernel) {
    return test_.Launch(kernel, {2, 1, 1}, {1, 1, 1}, Parameters().Add(out_));
  }

  TestDevice test_;
  DeviceAddress out_ = 0;
};

TEST_F(Clusters, AreOneBlockEach) {
  ASSERT_EQ(Launch("place"), DeviceError::kSuccess);
  EXPECT_THAT(test_.Download<std::uint32_t>(out_, 12),
              ElementsAre(0, 2, 0, 1, 0, 1, 1, 2, 0, 1, 0, 1));
  EXPECT_THAT(test_.Findings(), IsEmpty());
}

TEST_F(Clusters, OfMoreBlocksAreRefusedWhereTheKernelLooks) {
  EXPECT_EQ(Launch("pairs"), DeviceError::kNotSupported);
  EXPECT_THAT(
      test_.Findings(),
      ElementsAre(
          "unsupported_code: the launch fails with cudaErrorNotSupported: the kernel runs in "
          "clusters of 2 blocks and reads %cluster_ctarank, and clusters of more than "
          "one block are not supported"));
  EXPECT_EQ(Launch("pairs_that_do_not_look"), DeviceError::kSuccess);
  EXPECT_EQ(test_.Download<std::uint32_t>(out_, 1).at(0), 7U);
}

TEST_F(Clusters, CannotWaitForEachOther) {
  EXPECT_EQ(Launch("waits"), DeviceError::kIllegalInstruction);
  EXPECT_THAT(
      test_.Findings(),
      ElementsAre("unsupported_code: the instruction barrier.cluster.arrive in line 44 of the "
                  "PTX is not supported by the emulator; it is in no row of a survey of 1,300 "
                  "kernels"));
}

// A library finds out whether there is a cluster, and only then waits for it.
TEST_F(Clusters, MayBeWaitedForWhereNobodyComes) {
  EXPECT_EQ(Launch("waits_in_clusters_alone"), DeviceError::kSuccess);
  EXPECT_THAT(test_.Findings(), IsEmpty());
  EXPECT_EQ(test_.Download<std::uint32_t>(out_, 1).at(0), 5U);
}

TEST_F(Clusters, OfMoreBlocksAreRefusedWhereTheKernelMayWait) {
  EXPECT_EQ(Launch("pairs_that_may_wait"), DeviceError::kNotSupported);
  EXPECT_THAT(test_.Findings(),
              ElementsAre(testing::HasSubstr("runs in clusters of 2 blocks and uses mapa, and")));
}

}  // namespace
}  // namespace warpcheck::emulator

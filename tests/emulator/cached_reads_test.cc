// Tests the checker of reads through a cache that does not see what the launch writes. Textures and
// surfaces are in tests/programs/pairs/memory.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

// Runs two launches of a kernel of one thread, and returns the findings of the second. It finds an
// address of 64 bytes in %rd1.
std::vector<std::string> FindingsOf(const std::string& body) {
  Options options;
  options.checkers.push_back(CheckerNamed("caches"));
  TestDevice device(options);
  device.Load(SmallKernel(body));
  const DeviceAddress memory = device.Upload(std::vector<std::uint32_t>(16));
  for (int launch = 0; launch < 2; ++launch) {
    EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(memory)),
              DeviceError::kSuccess);
  }
  return device.Findings();
}

const auto kOne = ElementsAre(StartsWith("stale_read: reads "));

TEST(CachedReads, OfReadOnlyDataMayNotBeWritten) {
  EXPECT_THAT(FindingsOf("st.global.u32 [%rd1], 1; membar.gl; ld.global.nc.u32 %r2, [%rd1];"),
              kOne);
  EXPECT_THAT(FindingsOf("ld.global.nc.u32 %r2, [%rd1]; st.global.u32 [%rd1], 1;"), kOne);
  EXPECT_THAT(FindingsOf("red.global.add.u32 [%rd1], 1; ldu.global.u32 %r2, [%rd1];"), kOne);
  EXPECT_THAT(FindingsOf("st.global.u8 [%rd1+7], 1; ld.global.nc.v2.u32 {%r2, %r3}, [%rd1];"),
              kOne);
}

TEST(CachedReads, OfOtherBytesAreRight) {
  EXPECT_THAT(FindingsOf("st.global.u8 [%rd1+1], 1; ld.global.nc.u8 %r2, [%rd1];"), IsEmpty());
  EXPECT_THAT(FindingsOf("ld.global.nc.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1]; "
                         "st.global.u32 [%rd1+16], 1;"),
              IsEmpty());
}

TEST(CachedReads, OfDataThatStaysAsItIsAreRight) {
  EXPECT_THAT(FindingsOf("st.global.u32 [%rd1], 1; ld.global.u32 %r2, [%rd1];"), IsEmpty());
  EXPECT_THAT(FindingsOf("atom.global.add.u32 %r3, [%rd1], 0; ld.global.nc.u32 %r2, [%rd1];"),
              IsEmpty());
}

}  // namespace
}  // namespace warpcheck::emulator

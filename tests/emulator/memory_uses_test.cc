// A launch must tell which bytes it has used and how, on any number of threads.
#include "emulator/record/memory_uses.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Kind = MemoryUse::Kind;

// Thread i reads word 2 i of `in`, writes word i of `out`, and adds to `counter`.
constexpr char kAccesses[] = R"(
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 counter) {
  .reg .b32 %r<5>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  ld.param.u64 %rd3, [counter];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 8;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r2, [%rd5];
  mul.wide.u32 %rd6, %r1, 4;
  add.s64 %rd7, %rd2, %rd6;
  st.global.u32 [%rd7], %r2;
  red.global.add.u32 [%rd3], 1;
  ret;
})";

class MemoryUsesTest : public testing::Test {
 protected:
  MemoryUsesTest() {
    device_.Load(kAccesses);
    in_ = device_.Upload(std::vector<int>(128));
    out_ = device_.Upload(std::vector<int>(64));
    counter_ = device_.Upload(std::vector<int>(1));
  }
  void Launch(std::uint32_t threads) {
    Parameters parameters;
    parameters.Add(in_).Add(out_).Add(counter_);
    ASSERT_EQ(device_.Launch("k", kSingle, {threads, 1, 1}, parameters), DeviceError::kSuccess);
  }

  TestDevice device_;
  DeviceAddress in_ = 0, out_ = 0, counter_ = 0;
};

TEST_F(MemoryUsesTest, NothingIsToldUnlessAsked) {
  Launch(2);
  EXPECT_THAT(device_.device->TakeUses().uses, IsEmpty());
}

TEST_F(MemoryUsesTest, RangesAreExact) {
  device_.device->WatchUses();
  Launch(3);
  EXPECT_THAT(device_.device->TakeUses().uses,
              UnorderedElementsAre(MemoryUse{Kind::kRead, in_, in_ + 4},
                                   MemoryUse{Kind::kRead, in_ + 8, in_ + 12},
                                   MemoryUse{Kind::kRead, in_ + 16, in_ + 20},
                                   MemoryUse{Kind::kWrite, out_, out_ + 12},
                                   MemoryUse{Kind::kAtomic, counter_, counter_ + 4}));
  EXPECT_THAT(device_.device->TakeUses().uses, IsEmpty());
}

TEST_F(MemoryUsesTest, WholeWarpsWriteOneRange) {
  device_.device->WatchUses();
  Launch(64);
  const auto uses = device_.device->TakeUses().uses;
  ASSERT_EQ(uses.size(), 64U + 1 + 1);
  EXPECT_THAT(uses, Contains(MemoryUse{Kind::kRead, in_ + 504, in_ + 508}));
  EXPECT_THAT(uses, Contains(MemoryUse{Kind::kWrite, out_, out_ + 256}));
}

TEST(MemoryUses, AreTheSameOnSeveralThreads) {
  constexpr int kElements = 20'000;
  std::vector<std::vector<MemoryUse>> uses;
  for (const unsigned threads : {1U, 4U}) {
    int kept = 0;
    Options options;
    options.threads = threads;
    options.on_parallel = [&](bool one) { kept += one ? 1 : 0; };
    TestDevice device(std::move(options));
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/parallel.ptx");
    ASSERT_TRUE(ptx) << ptx.error().Text();
    device.Load(*ptx);
    const DeviceAddress in = device.Upload(std::vector<int>(kElements));
    const DeviceAddress out = device.Upload(std::vector<int>(kElements));
    device.device->WatchUses();
    Parameters parameters;
    parameters.Add(out).Add(in).Add(kElements);
    ASSERT_EQ(device.Launch("scale", {(kElements + 95) / 96, 1, 1}, {96, 1, 1}, parameters),
              DeviceError::kSuccess);
    EXPECT_EQ(kept, threads == 1 ? 0 : 1);
    uses.push_back(device.device->TakeUses().uses);
    EXPECT_THAT(uses.back(),
                ElementsAre(MemoryUse{Kind::kRead, in, in + std::uint64_t{4} * kElements},
                            MemoryUse{Kind::kWrite, out, out + std::uint64_t{4} * kElements}));
  }
  EXPECT_EQ(uses[0], uses[1]);
}

// Thread 0 of each block writes a word of `out`, executes FENCE, and then writes `flag`.
std::string FlagKernel(const std::string& fence, const std::string& store) {
  return R"(
.visible .entry k(.param .u64 out, .param .u64 flag) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [flag];
  mov.u32 %r1, %tid.x;
  st.global.u32 [%rd1], %r1;
  )" + fence +
         "\n  " + store + R"( [%rd2], 1;
  ret;
})";
}

MemoryUse::Kind KindOfFlag(const std::string& fence, const std::string& store) {
  TestDevice device;
  device.Load(FlagKernel(fence, store));
  const DeviceAddress out = device.Upload(std::vector<int>(1));
  const DeviceAddress flag = device.Upload(std::vector<int>(1));
  device.device->WatchUses();
  Parameters parameters;
  parameters.Add(out).Add(flag);
  EXPECT_EQ(device.Launch("k", kSingle, {1, 1, 1}, parameters), DeviceError::kSuccess);
  const auto uses = device.device->TakeUses().uses;
  EXPECT_EQ(uses.size(), 2U);
  for (const MemoryUse& use : uses) {
    if (use.begin == flag) return use.kind;
    EXPECT_EQ(use, (MemoryUse{Kind::kWrite, out, out + 4}));
  }
  return Kind::kRead;
}

TEST(MemoryUses, AFenceOfSystemScopeMakesFlags) {
  EXPECT_EQ(KindOfFlag("", "st.global.u32"), Kind::kWrite);
  EXPECT_EQ(KindOfFlag("membar.gl;", "st.global.u32"), Kind::kWrite);
  EXPECT_EQ(KindOfFlag("membar.sys;", "st.global.u32"), Kind::kRelease);
  EXPECT_EQ(KindOfFlag("", "st.volatile.global.u32"), Kind::kSignal);
  EXPECT_EQ(KindOfFlag("membar.sys;", "st.volatile.global.u32"), Kind::kRelease);
  EXPECT_EQ(KindOfFlag("", "st.relaxed.gpu.global.u32"), Kind::kAtomic);
  EXPECT_EQ(KindOfFlag("", "st.relaxed.sys.global.u32"), Kind::kSignal);
  EXPECT_EQ(KindOfFlag("", "st.release.sys.global.u32"), Kind::kRelease);
  EXPECT_EQ(KindOfFlag("fence.acq_rel.sys;", "red.relaxed.gpu.global.add.u32"), Kind::kRelease);
}

// Thread i reads word i of `in`; then, as `between` says, threads wait for the kernel before; then
// it writes word i of `out`.
LaunchUses UsesAround(const std::string& between, std::uint32_t threads = 64) {
  TestDevice device;
  device.Load(R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  setp.eq.u32 %p1, %r1, 0;
  ld.global.u32 %r2, [%rd4];
  )" + between +
              R"(
  st.global.u32 [%rd5], %r2;
  ret;
})");
  const DeviceAddress in = device.Upload(std::vector<int>(64));
  const DeviceAddress out = device.Upload(std::vector<int>(64));
  device.device->WatchUses();
  Parameters parameters;
  parameters.Add(in).Add(out);
  EXPECT_EQ(device.Launch("k", kSingle, {threads, 1, 1}, parameters), DeviceError::kSuccess);
  LaunchUses uses = device.device->TakeUses();
  for (std::vector<MemoryUse>* const list : {&uses.uses, &uses.before_wait}) {
    for (MemoryUse& use : *list) {
      const DeviceAddress array = use.kind == Kind::kRead ? in : out;
      use.begin -= array;
      use.end -= array;
    }
  }
  return uses;
}

TEST(MemoryUses, KnowWhatThreadsDoBeforeTheyWait) {
  const MemoryUse reads{Kind::kRead, 0, 256};
  const MemoryUse writes{Kind::kWrite, 0, 256};
  LaunchUses uses = UsesAround("");
  EXPECT_THAT(uses.uses, ElementsAre(reads, writes));
  EXPECT_FALSE(uses.waits);
  uses = UsesAround("griddepcontrol.wait;");
  EXPECT_THAT(uses.uses, ElementsAre(reads, writes));
  EXPECT_THAT(uses.before_wait, ElementsAre(reads));
  EXPECT_TRUE(uses.waits);
  EXPECT_TRUE(uses.dependents_wait) << "its end lets the next kernel begin";
  uses = UsesAround("@%p1 griddepcontrol.wait;");
  EXPECT_THAT(uses.before_wait, ElementsAre(reads, MemoryUse{Kind::kWrite, 4, 256}));
  uses = UsesAround("@%p1 griddepcontrol.wait; bar.sync 0;");
  EXPECT_THAT(uses.before_wait, ElementsAre(reads));
  uses = UsesAround("@%p1 griddepcontrol.wait; bar.warp.sync 0xffffffff;");
  EXPECT_THAT(uses.before_wait, ElementsAre(reads, MemoryUse{Kind::kWrite, 128, 256}));
}

TEST(MemoryUses, KnowWhetherTheNextKernelBeginsBeforeTheWait) {
  constexpr char kBegin[] = "griddepcontrol.launch_dependents;";
  constexpr char kWait[] = "griddepcontrol.wait;";
  EXPECT_FALSE(UsesAround(std::string(kBegin) + kWait).dependents_wait);
  EXPECT_TRUE(UsesAround(std::string(kWait) + kBegin, 32).dependents_wait);
  EXPECT_FALSE(UsesAround(kBegin).dependents_wait);
}

}  // namespace
}  // namespace warpcheck::emulator

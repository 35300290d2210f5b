// Tests the counters of single allocations of global memory.
#include <gmock/gmock.h>

#include <map>
#include <string>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

// A kernel with two arrays, in %rd1 and %rd2, and the lane's own word of each in %rd3 and %rd4.
// Its loop runs four times, in which %r2 counts.
std::string LoopOver(std::string_view body) {
  return std::string(R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
  .reg .pred %p<32>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<32>;
  .shared .align 16 .b8 tile[4096];
  .loc 1 1 1
  ld.param.u64 %rd1, [k_param_0];
  ld.param.u64 %rd2, [k_param_1];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd5, %r1, 4;
  add.u64 %rd3, %rd1, %rd5;
  add.u64 %rd4, %rd2, %rd5;
  mov.u32 %r2, 0;
again:
  .loc 1 7 1
)") + std::string(body) +
         R"(
  .loc 1 9 1
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 4;
  @%p1 bra again;
  ret;
}
.file 1 "student.cu"
)";
}

struct ArrayCount {
  std::uint64_t requests = 0;
  std::uint64_t sectors = 0;
  std::uint64_t lanes = 0;
  friend bool operator==(const ArrayCount&, const ArrayCount&) = default;
};
void PrintTo(const ArrayCount& counted, std::ostream* out) {
  *out << counted.requests << " requests, " << counted.sectors << " sectors, " << counted.lanes
       << " lanes";
}

ArrayCount CountOf(const CounterSet& counters) {
  return {counters[Counter::kGlobalRequests].value(), counters[Counter::kGlobalSectors].value(),
          counters[Counter::kGlobalLanes].value()};
}

struct ArrayCounts {
  ArrayCount first;
  ArrayCount second;
  ArrayCount elsewhere;
  ArrayCount all;
};

// Returns what a launch of one warp counts for each array.
ArrayCounts CountsOfArrays(std::string_view body, const Dim3& grid = kSingle,
                           unsigned threads = 1) {
  Options options;
  options.by_allocation = true;
  options.threads = threads;
  TestDevice device(std::move(options));
  device.Load(LoopOver(body));
  const DeviceAddress first = device.Upload(std::vector<float>(4096));
  const DeviceAddress second = device.Upload(std::vector<float>(4096));
  EXPECT_EQ(device.Launch("k", grid, {32, 1, 1}, Parameters().Add(first).Add(second)),
            DeviceError::kSuccess);
  ArrayCounts arrays;
  arrays.all = CountOf(device.last().counters);
  EXPECT_TRUE(device.last().arrays.has_value());
  if (!device.last().arrays) return arrays;
  for (const ArrayCounters& array : *device.last().arrays) {
    CounterSet sum = array.lines.front().counters;
    for (std::size_t i = 1; i < array.lines.size(); ++i) sum += array.lines[i].counters;
    ArrayCount& counted = array.begin == first    ? arrays.first
                          : array.begin == second ? arrays.second
                                                  : arrays.elsewhere;
    counted = CountOf(sum);
  }
  return arrays;
}

TEST(ArrayCounters, CountEachArrayApart) {
  const ArrayCounts arrays = CountsOfArrays(
      "ld.global.u32 %r3, [%rd3]; st.global.u32 [%rd4], %r3; st.global.u32 [%rd4+128], %r3;");
  EXPECT_EQ(arrays.first, (ArrayCount{4, 16, 128}));
  EXPECT_EQ(arrays.second, (ArrayCount{8, 32, 256}));
  EXPECT_EQ(arrays.elsewhere, ArrayCount());
  EXPECT_EQ(arrays.all, (ArrayCount{12, 48, 384}));
}

// One instruction that goes from one array to the other, as a loop over arrays does. Its costs are
// remembered (memory_site.h).
TEST(ArrayCounters, FollowAnInstructionThatTurnsToAnotherArray) {
  const ArrayCounts arrays = CountsOfArrays(
      "and.b32 %r4, %r2, 1; setp.eq.u32 %p2, %r4, 0; selp.b64 %rd6, %rd3, %rd4, %p2;"
      "ld.global.u32 %r3, [%rd6]; setp.lt.u32 %p3, %r2, 2; selp.b64 %rd6, %rd3, %rd4, %p3;"
      "ld.global.u32 %r3, [%rd6];");
  EXPECT_EQ(arrays.first, (ArrayCount{4, 16, 128}));
  EXPECT_EQ(arrays.second, (ArrayCount{4, 16, 128}));
  EXPECT_EQ(arrays.all, (ArrayCount{8, 32, 256}));
}

// Half of the lanes read each array. This is one request, and each array gets the sectors of its
// own half.
TEST(ArrayCounters, ShareAnAccessToTwoArrays) {
  const ArrayCounts arrays = CountsOfArrays(
      "setp.lt.u32 %p2, %r1, 8; selp.b64 %rd6, %rd3, %rd4, %p2; ld.global.u32 %r3, [%rd6];");
  EXPECT_EQ(arrays.first, (ArrayCount{4, 4, 32}));
  EXPECT_EQ(arrays.second, (ArrayCount{4, 12, 96}));
  EXPECT_EQ(arrays.all, (ArrayCount{4, 16, 128}));
}

TEST(ArrayCounters, CountAtomicsAndCopiesToSharedMemory) {
  const ArrayCounts atomics =
      CountsOfArrays("atom.global.add.u32 %r3, [%rd3], 1; red.global.add.u32 [%rd2], 1;");
  EXPECT_EQ(atomics.first, (ArrayCount{4, 16, 128}));
  EXPECT_EQ(atomics.second, (ArrayCount{4, 4, 128}));
  // A copy moves sectors, and is no request of global memory.
  const ArrayCounts copies = CountsOfArrays(
      "mov.u64 %rd7, tile; add.u64 %rd7, %rd7, %rd5; cvt.u32.u64 %r5, %rd7;"
      "setp.lt.u32 %p2, %r1, 8; selp.b64 %rd6, %rd3, %rd4, %p2;"
      "cp.async.ca.shared.global [%r5], [%rd6], 4;");
  EXPECT_EQ(copies.first.sectors, 4U);
  EXPECT_EQ(copies.second.sectors, 12U);
  EXPECT_EQ(copies.all.sectors, 16U);
}

TEST(ArrayCounters, CountAccessesOutsideOfArraysElsewhere) {
  const ArrayCounts arrays = CountsOfArrays("ld.global.u32 %r3, [%rd3+20000];");
  EXPECT_EQ(arrays.first, ArrayCount());
  EXPECT_EQ(arrays.elsewhere, arrays.all);
  EXPECT_EQ(arrays.all.sectors, 16U);
}

TEST(ArrayCounters, AreTheSameWithSeveralThreads) {
  constexpr std::string_view kBody =
      "mov.u32 %r6, %ctaid.x; mul.wide.u32 %rd8, %r6, 128; add.u64 %rd9, %rd3, %rd8;"
      "ld.global.u32 %r3, [%rd9]; ld.global.u32 %r4, [%rd4];";
  const ArrayCounts one = CountsOfArrays(kBody, {64, 1, 1});
  const ArrayCounts three = CountsOfArrays(kBody, {64, 1, 1}, 3);
  EXPECT_EQ(one.first, (ArrayCount{256, 1024, 8192}));
  EXPECT_EQ(three.first, one.first);
  EXPECT_EQ(three.second, one.second);
  EXPECT_EQ(three.all, one.all);
}

TEST(ArrayCounters, AreNotCountedUnlessAskedFor) {
  TestDevice device;
  device.Load(SmallKernel("ld.global.u32 %r2, [%rd1];"));
  const DeviceAddress array = device.Upload(std::vector<float>(4));
  ASSERT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(array)), DeviceError::kSuccess);
  EXPECT_EQ(device.last().arrays, std::nullopt);
}

// A kernel that touches more arrays than are kept apart loses no count.
TEST(ArrayCounters, CountManyArraysTogether) {
  Options options;
  options.by_allocation = true;
  TestDevice device(std::move(options));
  device.Load(SmallKernel(R"(
    mov.u32 %r2, 0;
again:
    ld.global.u64 %rd2, [%rd1];
    ld.global.u32 %r3, [%rd2];
    add.u64 %rd1, %rd1, 8;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 100;
    @%p1 bra again;)"));
  std::vector<DeviceAddress> pointers;
  for (int i = 0; i < 100; ++i) pointers.push_back(device.Upload(std::vector<float>(4)));
  const DeviceAddress table = device.Upload(pointers);
  ASSERT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(table)), DeviceError::kSuccess);
  ASSERT_TRUE(device.last().arrays.has_value());
  EXPECT_LE(device.last().arrays->size(), LaunchRecord::kMostArrays + 1);
  std::uint64_t sectors = 0;
  for (const ArrayCounters& array : *device.last().arrays) {
    for (const LineCounters& line : array.lines) {
      sectors += line.counters[Counter::kGlobalSectors].value();
    }
  }
  EXPECT_EQ(sectors, 200U);
  EXPECT_EQ(device.last().counters[Counter::kGlobalSectors], 200U);
}

}  // namespace
}  // namespace warpcheck::emulator

// Tests the counters of constant memory and of loads of read-only data.
#include <gmock/gmock.h>

#include <string>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

constexpr std::string_view kTable = ".const .align 8 .b8 table[256];\n";
// %rd2 is the address of the lane's own word of 4 bytes in the table, %rd3 of its own 8 bytes.
constexpr std::string_view kPlaces =
    "mov.u64 %rd4, table; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd2, %rd4, %rd5;"
    "mul.wide.u32 %rd5, %r1, 8; add.u64 %rd3, %rd4, %rd5;";

struct Counted {
  std::uint64_t requests = 0;
  std::uint64_t passes = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};
void PrintTo(const Counted& counted, std::ostream* out) {
  *out << counted.requests << " requests, " << counted.passes << " passes";
}

CounterSet CountersOf(std::string_view body, std::uint32_t threads = 32) {
  TestDevice device;
  device.Load(SmallKernel(std::string(kPlaces) + std::string(body), kTable));
  const DeviceAddress out = device.Upload(std::vector<std::uint64_t>(1024));
  EXPECT_EQ(device.Launch("k", {1, 1, 1}, {threads, 1, 1}, Parameters().Add(out)),
            DeviceError::kSuccess);
  EXPECT_THAT(device.Findings(), testing::IsEmpty());
  return device.last().counters;
}

Counted ConstantLoads(std::string_view body, std::uint32_t threads = 32) {
  const CounterSet counters = CountersOf(body, threads);
  return {counters[Counter::kConstantRequests].value(), counters[Counter::kConstantPasses].value()};
}

TEST(ConstantCounters, CountAPassForEachAddress) {
  EXPECT_EQ(ConstantLoads("ld.const.u32 %r2, [table];"), (Counted{1, 1}));
  EXPECT_EQ(ConstantLoads("ld.const.u32 %r2, [%rd2];"), (Counted{1, 32}));
  EXPECT_EQ(ConstantLoads("ld.const.u64 %rd6, [%rd3];"), (Counted{1, 32}));
  EXPECT_EQ(ConstantLoads("ld.const.u64 %rd6, [table];", 64), (Counted{2, 2}));
}

TEST(ConstantCounters, CountTheLanesThatTakePart) {
  EXPECT_EQ(ConstantLoads("setp.lt.u32 %p1, %r1, 5; @%p1 ld.const.u32 %r2, [%rd2];"),
            (Counted{1, 5}));
  EXPECT_EQ(ConstantLoads("setp.lt.u32 %p1, %r1, 32; @%p1 ld.const.u32 %r2, [%rd2];", 64),
            (Counted{1, 32}));
}

TEST(ConstantCounters, CountABroadcastOfNeighboursOnce) {
  EXPECT_EQ(ConstantLoads("and.b32 %r3, %r1, 24; mul.wide.u32 %rd5, %r3, 4;"
                          "add.u64 %rd2, %rd4, %rd5; ld.const.u32 %r2, [%rd2];"),
            (Counted{1, 4}));
}

TEST(ConstantCounters, CountNeitherParametersNorGlobalMemory) {
  EXPECT_EQ(ConstantLoads("ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd1], 1;", 1),
            (Counted{0, 0}));
}

// Loads from constant memory are none of global memory.
TEST(ConstantCounters, AreNotThoseOfGlobalMemory) {
  const CounterSet counters = CountersOf("ld.const.u32 %r2, [%rd2];");
  EXPECT_EQ(counters[Counter::kGlobalRequests], 0U);
  EXPECT_EQ(counters[Counter::kSharedRequests], 0U);
}

TEST(ReadOnlyCounters, CountLoadsOfReadOnlyDataInBoth) {
  const CounterSet counters = CountersOf(
      "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd1, %rd5;"
      "ld.global.nc.u32 %r2, [%rd5]; ld.global.u32 %r3, [%rd5];");
  EXPECT_EQ(counters[Counter::kReadOnlyRequests], 1U);
  EXPECT_EQ(counters[Counter::kReadOnlySectors], 4U);
  EXPECT_EQ(counters[Counter::kGlobalLoadRequests], 2U);
  EXPECT_EQ(counters[Counter::kGlobalLoadSectors], 8U);
}

}  // namespace
}  // namespace warpcheck::emulator

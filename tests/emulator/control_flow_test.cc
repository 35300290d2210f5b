// Tests divergence, calls, barriers and order by what threads compute when they part and meet
// again.
#include <gmock/gmock.h>

#include <numeric>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::Each;
using testing::IsEmpty;

// Runs SmallKernel(body) in one block, and returns the results. Thread i leaves its result in %r2,
// which is stored to word i.
std::vector<std::uint32_t> Results(std::string_view body, std::uint32_t threads = 32,
                                   std::string_view before = "", CounterSet* counters = nullptr) {
  TestDevice device;
  device.Load(SmallKernel(std::string(body) +
                              "\nSTORE:\n  mul.wide.u32 %rd30, %r1, 4;\n"
                              "  add.u64 %rd31, %rd1, %rd30;\n  st.global.u32 [%rd31], %r2;\n",
                          before));
  const DeviceAddress memory = device.Upload(std::vector<std::uint32_t>(threads, 7777));
  EXPECT_EQ(device.Launch("k", kSingle, {threads, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  EXPECT_THAT(device.Findings(), IsEmpty());
  if (counters != nullptr) *counters = device.last().counters;
  return device.Download<std::uint32_t>(memory, threads);
}

template <class Function>
std::vector<std::uint32_t> Expected(std::uint32_t threads, Function function) {
  std::vector<std::uint32_t> values(threads);
  for (std::uint32_t i = 0; i < threads; ++i) values[i] = function(i);
  return values;
}

TEST(ControlFlow, NestedIfs) {
  const auto results = Results(R"(
  mov.u32 %r2, 0;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra EVEN;
  setp.lt.u32 %p2, %r1, 16;
  @%p2 bra LOW;
  add.u32 %r2, %r2, 100;
  bra ODD_DONE;
LOW:
  add.u32 %r2, %r2, 200;
ODD_DONE:
  add.u32 %r2, %r2, 1;
  bra DONE;
EVEN:
  add.u32 %r2, %r2, 300;
DONE:
  add.u32 %r2, %r2, 1000;
)");
  EXPECT_EQ(results, Expected(32, [](std::uint32_t i) {
              return i % 2 == 0 ? 1300U : i < 16 ? 1201U : 1101U;
            }));
}

constexpr std::string_view kCountingLoop = R"(
  mov.u32 %r2, 0;
  mov.u32 %r3, 0;
LOOP:
  add.u32 %r2, %r2, %r3;
  add.u32 %r3, %r3, 1;
  setp.le.u32 %p1, %r3, %r1;
  @%p1 bra LOOP;
)";

TEST(ControlFlow, LoopsWithDifferentTripCounts) {
  CounterSet counters;
  EXPECT_EQ(Results(kCountingLoop, 32, "", &counters),
            Expected(32, [](std::uint32_t i) { return i * (i + 1) / 2; }));
  // Lane i makes i + 1 rounds. One lane leaves each time, so that every round except the last
  // diverges.
  EXPECT_EQ(counters[Counter::kBranchesDivergent], 31U);
  EXPECT_EQ(counters[Counter::kBranchesUniform], 1U);
  // There are 2 instructions before the kernel's own part, 2 + 32 rounds of 4, then 3 and ret.
  EXPECT_EQ(counters[Counter::kWarpInstructions], 2U + 2 + 32 * 4 + 3 + 1);
  EXPECT_EQ(counters[Counter::kThreadInstructions], 32U * (2 + 2 + 3 + 1) + 4 * (32 * 33 / 2));
}

TEST(ControlFlow, BreakOutOfALoop) {
  EXPECT_EQ(Results(R"(
  mov.u32 %r2, 0;
LOOP:
  add.u32 %r2, %r2, 1;
  setp.eq.u32 %p1, %r2, %r1;
  @%p1 bra OUT;
  setp.lt.u32 %p2, %r2, 20;
  @%p2 bra LOOP;
  add.u32 %r2, %r2, 1000;
OUT:
  add.u32 %r2, %r2, 5;
)"),
            Expected(32, [](std::uint32_t i) { return i >= 1 && i <= 20 ? i + 5 : 1025U; }));
}

TEST(ControlFlow, EarlyReturnAndExit) {
  EXPECT_EQ(Results(R"(
  mov.u32 %r2, 1;
  setp.lt.u32 %p1, %r1, 4;
  @%p1 ret;
  setp.ge.u32 %p2, %r1, 40;
  @%p2 bra LEAVE;
  bra STORE;
LEAVE:
  exit;
)",
                    48),
            Expected(48, [](std::uint32_t i) { return i < 4 || i >= 40 ? 7777U : 1U; }));
}

TEST(ControlFlow, BranchByTable) {
  EXPECT_EQ(Results(R"(
  and.b32 %r3, %r1, 3;
  mov.u32 %r2, 0;
TABLE: .branchtargets A, B, C, A;
  brx.idx %r3, TABLE;
A:
  add.u32 %r2, %r2, 1;
  bra DONE;
B:
  add.u32 %r2, %r2, 10;
C:
  add.u32 %r2, %r2, 100;
DONE:
  add.u32 %r2, %r2, 1000;
)"),
            Expected(32, [](std::uint32_t i) {
              return 1000U + (i % 4 == 1 ? 110U : i % 4 == 2 ? 100U : 1U);
            }));
}

// A function may end without a ret: lanes that jump to its end return like those that fall through.
TEST(ControlFlow, BranchToTheEndOfAFunction) {
  EXPECT_EQ(Results(R"(
  {
    .param .b32 argument;
    .param .b32 value;
    st.param.b32 [argument], %r1;
    call (value), clamp, (argument);
    ld.param.b32 %r2, [value];
  }
)",
                    32, R"(
.func (.param .b32 result) clamp(.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [n];
  st.param.b32 [result], %r1;
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra END;
  st.param.b32 [result], 10;
END:
}
)"),
            Expected(32, [](std::uint32_t i) { return i < 10 ? i : 10U; }));
}

TEST(ControlFlow, BranchByTableToTheEndOfAFunction) {
  EXPECT_EQ(Results(R"(
  {
    .param .b32 argument;
    .param .b32 value;
    st.param.b32 [argument], %r1;
    call (value), pick, (argument);
    ld.param.b32 %r2, [value];
  }
)",
                    2, R"(
.func (.param .b32 result) pick(.param .b32 n)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [n];
  st.param.b32 [result], 20;
TABLE: .branchtargets END, OTHER;
  brx.idx %r1, TABLE;
OTHER:
  st.param.b32 [result], 30;
END:
}
)"),
            (std::vector<std::uint32_t>{20, 30}));
}

constexpr std::string_view kFactorial = R"(
.func (.param .b32 result) factorial(.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 1;
  setp.lt.u32 %p1, %r1, 2;
  @%p1 bra DONE;
  sub.u32 %r3, %r1, 1;
  {
    .param .b32 argument;
    .param .b32 value;
    st.param.b32 [argument], %r3;
    call.uni (value), factorial, (argument);
    ld.param.b32 %r4, [value];
  }
  mul.lo.u32 %r2, %r4, %r1;
DONE:
  st.param.b32 [result], %r2;
  ret;
}
)";

TEST(ControlFlow, DivergentRecursion) {
  const auto factorial = [](std::uint32_t i) {
    std::uint32_t product = 1;
    for (std::uint32_t k = 2; k <= i; ++k) product *= k;
    return product;
  };
  EXPECT_EQ(Results(R"(
  {
    .param .b32 argument;
    .param .b32 value;
    st.param.b32 [argument], %r1;
    call.uni (value), factorial, (argument);
    ld.param.b32 %r2, [value];
  }
)",
                    32, kFactorial),
            Expected(32, factorial));
}

TEST(ControlFlow, IndirectCallsOfDifferentFunctions) {
  EXPECT_EQ(Results(R"(
  mov.u64 %rd2, twice;
  mov.u64 %rd3, next;
  and.b32 %r3, %r1, 1;
  setp.eq.u32 %p1, %r3, 0;
  selp.b64 %rd4, %rd2, %rd3, %p1;
  {
    .param .b32 argument;
    .param .b32 value;
    st.param.b32 [argument], %r1;
PROTOTYPE: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (value), %rd4, (argument), PROTOTYPE;
    ld.param.b32 %r2, [value];
  }
  add.u32 %r2, %r2, 100;
)",
                    32, R"(
.func (.param .b32 result) twice(.param .b32 n)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [n];
  add.u32 %r1, %r1, %r1;
  st.param.b32 [result], %r1;
  ret;
}
.func (.param .b32 result) next(.param .b32 n)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [n];
  add.u32 %r1, %r1, 1;
  st.param.b32 [result], %r1;
  ret;
}
)"),
            Expected(32, [](std::uint32_t i) { return 100 + (i % 2 == 0 ? 2 * i : i + 1); }));
}

TEST(ControlFlow, EndlessRecursionOverflowsTheStack) {
  TestDevice device;
  device.Load(SmallKernel("  call.uni forever;\n", R"(
.func forever()
{
  .local .align 8 .b8 depot[64];
  call.uni forever;
  ret;
}
)"));
  const DeviceAddress memory = device.device->Allocate(4).value();
  // An H200 returns cudaErrorIllegalAddress (measured).
  EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(memory)),
            DeviceError::kIllegalAddress);
  EXPECT_THAT(device.Findings(),
              testing::ElementsAre("stack_overflow: the thread's stack overflows: 1,024 calls deep "
                                   "in the recursion of forever, with 65,536 bytes of local "
                                   "variables"));
}

// Each thread gets, through shared memory, the value of the opposite thread of the block.
constexpr std::string_view kOpposite = R"(
  mov.u32 %r4, exchange;
  shl.b32 %r5, %r1, 2;
  add.u32 %r6, %r4, %r5;
  st.shared.u32 [%r6], %r1;
  bar.sync 0;
  mov.u32 %r7, %ntid.x;
  sub.u32 %r8, %r7, 1;
  sub.u32 %r8, %r8, %r1;
  shl.b32 %r8, %r8, 2;
  add.u32 %r8, %r8, %r4;
  ld.shared.u32 %r2, [%r8];
)";

TEST(Barriers, OrderWritesBeforeReads) {
  EXPECT_EQ(Results(kOpposite, 1000, ".shared .align 4 .b8 exchange[4096];"),
            Expected(1000, [](std::uint32_t i) { return 999 - i; }));
}

TEST(Barriers, WithoutOneTheSecondHalfIsNotThereYet) {
  std::string body(kOpposite);
  body.replace(body.find("bar.sync 0;"), 11, "");
  const auto results = Results(body, 64, ".shared .align 4 .b8 exchange[4096];");
  EXPECT_EQ(results[0], ~0U);  // this is poison, because warp 1 had not run
  EXPECT_EQ(results[63], 0U);
}

TEST(Barriers, Reductions) {
  EXPECT_EQ(Results("  setp.lt.u32 %p1, %r1, 37;\n  bar.red.popc.u32 %r2, 0, %p1;\n", 96),
            std::vector<std::uint32_t>(96, 37));
  EXPECT_EQ(Results("  setp.lt.u32 %p1, %r1, 95;\n  bar.red.and.pred %p2, 0, %p1;\n"
                    "  bar.red.or.pred %p3, 0, %p1;\n  selp.u32 %r3, 10, 0, %p2;\n"
                    "  selp.u32 %r2, 1, 0, %p3;\n  add.u32 %r2, %r2, %r3;\n",
                    96),
            std::vector<std::uint32_t>(96, 1));
}

TEST(Barriers, ProducersArriveWithoutWaiting) {
  EXPECT_EQ(Results(R"(
  mov.u32 %r4, exchange;
  and.b32 %r5, %r1, 31;
  shl.b32 %r5, %r5, 2;
  add.u32 %r6, %r4, %r5;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra CONSUME;
  st.shared.u32 [%r6], %r1;
  bar.arrive 3, 64;
  mov.u32 %r2, 0;
  bra STORE;
CONSUME:
  bar.sync 3, 64;
  ld.shared.u32 %r2, [%r6];
)",
                    64, ".shared .align 4 .b8 exchange[128];"),
            Expected(64, [](std::uint32_t i) { return i < 32 ? i + 32 : 0U; }));
}

// Returns the order in which blocks took a ticket.
std::vector<std::uint32_t> Tickets(std::optional<std::uint64_t> seed) {
  Options options;
  options.order_seed = seed;
  TestDevice device(options);
  device.Load(SmallKernel(R"(
  mov.u32 %r3, %ctaid.x;
  atom.global.add.u32 %r2, [%rd1], 1;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3+4], %r2;
)"));
  const DeviceAddress memory = device.Upload(std::vector<std::uint32_t>(101, 0));
  EXPECT_EQ(device.Launch("k", {100, 1, 1}, kSingle, Parameters().Add(memory)),
            DeviceError::kSuccess);
  auto tickets = device.Download<std::uint32_t>(memory + 4, 100);
  return tickets;
}

TEST(Order, OfBlocksIsAscendingUnlessSeeded) {
  std::vector<std::uint32_t> ascending(100);
  std::iota(ascending.begin(), ascending.end(), 0U);
  EXPECT_EQ(Tickets(std::nullopt), ascending);
  const auto seeded = Tickets(1);
  EXPECT_EQ(seeded, Tickets(1));
  EXPECT_NE(seeded, ascending);
  EXPECT_NE(seeded, Tickets(2));
  EXPECT_THAT(seeded, testing::UnorderedElementsAreArray(ascending));
}

TEST(Grids, OfManyBlocksEndWithinTheBudget) {
  Options options;
  options.instruction_budget = 300'000;  // a block costs two in addition to its instructions
  TestDevice device(options);
  device.Load(".visible .entry nothing() {}\n.visible .entry something() { ret; }\n");
  constexpr Dim3 kHuge{(1U << 31) - 1, 65535, 65535};
  EXPECT_EQ(device.Launch("nothing", kHuge, {1024, 1, 1}, {}), DeviceError::kSuccess);
  EXPECT_EQ(device.Launch("something", {50'000, 1, 1}, {32, 1, 1}, {}), DeviceError::kSuccess);
  EXPECT_EQ(device.last().counters[Counter::kThreadInstructions], 50'000U * 32);
  EXPECT_EQ(device.Launch("something", kHuge, {32, 1, 1}, {}), DeviceError::kLaunchTimeout);
  EXPECT_EQ(device.last().counters[Counter::kWarpInstructions], 50'000U);
}

TEST(Order, OfWarpsChangesNoResultOfARightKernel) {
  const auto run = [](std::optional<std::uint64_t> seed) {
    Options options;
    options.order_seed = seed;
    TestDevice device(options);
    device.Load(SmallKernel(std::string(kOpposite) + R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
)",
                            ".shared .align 4 .b8 exchange[4096];"));
    const DeviceAddress memory = device.device->Allocate(4000).value();
    EXPECT_EQ(device.Launch("k", {3, 1, 1}, {1000, 1, 1}, Parameters().Add(memory)),
              DeviceError::kSuccess);
    return std::pair(device.last(), device.Download<std::uint32_t>(memory, 1000));
  };
  EXPECT_EQ(run(1), run(std::nullopt));
  EXPECT_EQ(run(2), run(2));
}

// Each warp takes a ticket, which tells which warps of a block come first.
TEST(Order, OfWarpsIsPermutedBySeed) {
  const auto tickets = [](std::optional<std::uint64_t> seed) {
    Options options;
    options.order_seed = seed;
    TestDevice device(options);
    device.Load(SmallKernel(R"(
  shr.u32 %r3, %r1, 5;
  and.b32 %r4, %r1, 31;
  setp.ne.u32 %p1, %r4, 0;
  @%p1 ret;
  atom.global.add.u32 %r2, [%rd1], 1;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3+4], %r2;
)"));
    const DeviceAddress memory = device.Upload(std::vector<std::uint32_t>(33, 0));
    EXPECT_EQ(device.Launch("k", kSingle, {1024, 1, 1}, Parameters().Add(memory)),
              DeviceError::kSuccess);
    return device.Download<std::uint32_t>(memory + 4, 32);
  };
  std::vector<std::uint32_t> ascending(32);
  std::iota(ascending.begin(), ascending.end(), 0U);
  EXPECT_EQ(tickets(std::nullopt), ascending);
  EXPECT_NE(tickets(3), ascending);
  EXPECT_EQ(tickets(3), tickets(3));
  EXPECT_THAT(tickets(3), testing::UnorderedElementsAreArray(ascending));
}

TEST(Registers, ReadBeforeTheyAreWrittenHoldPoison) { EXPECT_THAT(Results("", 64), Each(~0U)); }

}  // namespace
}  // namespace warpcheck::emulator

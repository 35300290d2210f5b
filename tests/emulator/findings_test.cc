// Tests every kind of finding that a kernel can cause, by its full text and a case without it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Runs SmallKernel(body) in one block of `threads` on `bytes` bytes of memory.
struct Ran {
  Ran(std::string_view body, std::uint32_t threads, std::uint64_t bytes = 4096,
      Options options = {}, std::string_view before = "")
      : device(std::move(options)) {
    device.Load(SmallKernel(body, before));
    memory = device.device->Allocate(bytes).value();
    error = device.Launch("k", kSingle, {threads, 1, 1}, Parameters().Add(memory));
  }

  const Finding& first() const { return device.last().findings.front(); }

  TestDevice device;
  DeviceAddress memory = 0;
  DeviceError error = DeviceError::kUnknown;
};

std::string AccessAfter(std::string_view offset, std::string_view access) {
  return "  mul.wide.u32 %rd2, %r1, 4;\n  add.u64 %rd3, %rd1, %rd2;\n  .loc 1 7 3\n  " +
         std::string(access) + "  // " + std::string(offset) + "\n";
}

TEST(Findings, ReadPastTheEnd) {
  Ran ran(AccessAfter("two lanes are outside",
                      "ld.global.u32 %r2, [%rd3+8]; st.global.u32 [%rd1], %r2;"),
          32, 128);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("out_of_bounds_read: reads element 32, just past the end of the 128-byte "
                          "array of the kernel's 1st parameter"));
  EXPECT_EQ(ran.first().where.Text(), "student.cu:7");
  EXPECT_EQ(ran.first().count, 2U);
  EXPECT_EQ(ran.first().kernel, "k");
  ASSERT_TRUE(ran.first().thread.has_value());
  EXPECT_EQ(*ran.first().thread, (ThreadPosition{{0, 0, 0}, {30, 0, 0}, 30}));
  // The last lane wrote last, and it had read poison.
  EXPECT_EQ(ran.device.Download<std::uint32_t>(ran.memory, 1)[0], ~0U);
}

TEST(Findings, DivisionByZero) {
  // Lanes 0 to 7 have the divisor 0, and lanes 0 to 3 do not divide.
  const std::string divides =
      "  shr.u32 %r2, %r1, 3;\n  setp.ge.u32 %p1, %r1, 4;\n  .loc 1 7 3\n"
      "  @%p1 rem.u32 %r3, 12, %r2;\n";
  Ran ran(divides, 32);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(), ElementsAre("division_by_zero: the divisor is 0"));
  EXPECT_EQ(ran.first().where.Text(), "student.cu:7");
  EXPECT_EQ(ran.first().count, 4U);
  EXPECT_EQ(ran.first().thread->lane, 4);
  Ran others(
      "  add.u32 %r2, %r1, 1;\n  div.s32 %r3, 12, %r2;\n  div.rn.f32 %f1, %f1, 0f00000000;\n", 32);
  EXPECT_THAT(others.device.Findings(), IsEmpty());
}

TEST(Findings, ReadWithinTheEndIsSilent) {
  Ran ran(AccessAfter("all inside", "ld.global.u32 %r2, [%rd3];"), 32, 128);
  EXPECT_THAT(ran.device.Findings(), IsEmpty());
}

TEST(Findings, WritePastTheEndIsDropped) {
  Ran ran(AccessAfter("one lane is outside", "st.global.u32 [%rd3+4], 5;"), 32, 128);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("out_of_bounds_write: writes element 32, just past the end of the "
                          "128-byte array of the kernel's 1st parameter"));
  EXPECT_EQ(ran.device.Download<std::uint32_t>(ran.memory, 32)[31], 5U);
}

TEST(Findings, WriteBeforeTheStart) {
  TestDevice device;
  device.Load(SmallKernel("  st.global.u32 [%rd1+-8], 5;\n"));
  ASSERT_TRUE(device.device->Allocate(64).has_value());
  const DeviceAddress memory = device.device->Allocate(4096).value();
  EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(memory)), DeviceError::kSuccess);
  EXPECT_THAT(device.Findings(),
              ElementsAre("out_of_bounds_write: writes element -2, 2 elements before the "
                          "start of the 4,096-byte array of the kernel's 1st "
                          "parameter"));
}

TEST(Findings, AcrossTheEnd) {
  Ran ran("  ld.global.u64 %rd4, [%rd1];\n", 1, 4);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("out_of_bounds_read: reads element 0, across the end of the 4-byte array "
                          "of the kernel's 1st parameter"));
}

TEST(Findings, UseAfterFree) {
  TestDevice device;
  device.Load(SmallKernel("  ld.global.u32 %r2, [%rd1+4];\n"));
  const DeviceAddress memory = device.device->Allocate(64).value();
  ASSERT_EQ(device.device->Free(memory), DeviceError::kSuccess);
  EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(memory)), DeviceError::kSuccess);
  EXPECT_THAT(device.Findings(),
              ElementsAre("use_after_free: reads element 1, in the 64-byte array of the kernel's "
                          "1st parameter, which was freed"));
}

// The array "in" has a name and the extents 8 x 4; another array has none.
class NamedArrays : public testing::Test {
 protected:
  // Returns the text about an access to the memory that the parameter points to.
  std::string Of(std::string_view access) {
    device_.Load(SmallKernel(std::string("  ") + std::string(access) + "\n"));
    (void)device_.Launch("k", kSingle, kSingle, Parameters().Add(in_));
    return device_.Findings().at(0);
  }
  DeviceAddress Named() {
    const DeviceAddress array = device_.device->Allocate(128).value();
    device_.device->NameArray(array, {.name = "in", .element_bytes = 4, .extents = {8, 4}});
    return array;
  }

  static Options Checked() {
    Options options;
    options.checkers.push_back(CheckerNamed("initialisation"));
    return options;
  }

  TestDevice device_{Checked()};
  DeviceAddress in_ = Named();
};

TEST_F(NamedArrays, AreCalledByTheirNames) {
  EXPECT_EQ(Of("st.global.u32 [%rd1+128], 1;"),
            "out_of_bounds_write: writes in[32] (row 8, column 0), just past the end of in (8 x 4 "
            "elements)");
  EXPECT_EQ(Of("ld.global.u32 %r2, [%rd1+140];"),
            "out_of_bounds_read: reads in[35] (row 8, column 3), 3 elements past the end of in (8 "
            "x 4 elements)");
  EXPECT_EQ(
      Of("st.global.u32 [%rd1+-4], 1;"),
      "out_of_bounds_write: writes in[-1], 1 element before the start of in (8 x 4 elements)");
  EXPECT_EQ(Of("ld.global.v2.u32 {%r2, %r3}, [%rd1+128];"),
            "out_of_bounds_read: reads in[32..33] (row 8, column 0), just past the end of in (8 x "
            "4 elements)");
}

TEST_F(NamedArrays, TellRowAndColumn) {
  EXPECT_EQ(Of("ld.global.u32 %r2, [%rd1+52]; st.global.u32 [%rd1], %r2;"),
            "uninitialised_use: reads in[13] (row 3, column 1), which nothing has written, and the "
            "same line stores a value that depends on it");
}

// The index is a negative number in an unsigned type.
TEST_F(NamedArrays, TellOfAnIndexThatHasWrappedAround) {
  EXPECT_EQ(Of("add.u64 %rd2, %rd1, 0x3FFFFFFF4; ld.global.u32 %r2, [%rd2];"),
            "illegal_address: reads in[4294967293], 4,294,967,261 elements past the end of in "
            "(8 x 4 elements): -3 as an unsigned number of 32 bits");
}

// This is also true for an address far beyond all memory, or nearer to another array.
TEST_F(NamedArrays, AreThoseThatTheCodeMeans) {
  (void)device_.device->Allocate(64);
  EXPECT_EQ(Of("add.u64 %rd2, %rd1, 0x200000000; ld.global.u32 %r2, [%rd2];"),
            "illegal_address: reads in[2147483648], 2,147,483,616 elements past the end of in "
            "(8 x 4 elements)");
  EXPECT_EQ(device_.last().findings.at(0).hint,
            "look at how the index is computed. An index so far outside the array is often an int "
            "that has overflowed, or a negative number in an unsigned type. It can also be a "
            "variable that was never set, a value that was itself read out of bounds, or a number "
            "of bytes instead of elements");
}

TEST_F(NamedArrays, AreMeantAlsoByAddressesBelowAllMemory) {
  EXPECT_EQ(Of("sub.u64 %rd2, %rd1, 0x2000000000000; st.global.u32 [%rd2+4], 1;"),
            "illegal_address: writes in[-140737488355327], 140,737,488,355,327 elements before the "
            "start of in (8 x 4 elements)");
}

// A byte of poison is 255, not the register's -1.
TEST(Findings, ABytePastTheEndIsAByte) {
  Ran ran("  ld.global.u8 %r2, [%rd1+64]; st.global.u32 [%rd1], %r2;\n", 1, 64);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("out_of_bounds_read: reads element 64, just past the end of the 64-byte "
                          "array of the kernel's 1st parameter"));
  EXPECT_EQ(ran.device.Download<std::uint32_t>(ran.memory, 1)[0], 255U);
}

TEST(Findings, HostPointerEndsTheLaunchForGood) {
  TestDevice device;
  device.Load(SmallKernel("  st.global.u32 [%rd1], 1;\n"));
  const DeviceAddress host = 0x7ffc12345678;
  EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(host)),
            DeviceError::kIllegalAddress);
  EXPECT_THAT(device.Findings(),
              ElementsAre("illegal_address: writes 4 bytes through a pointer to memory of the "
                          "host, which a kernel cannot use"));
  EXPECT_EQ(device.device->Allocate(4).error(), DeviceError::kIllegalAddress);
  EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(host)),
            DeviceError::kIllegalAddress);
}

TEST(Findings, NullPointer) {
  TestDevice device;
  device.Load(SmallKernel("  ld.global.u32 %r2, [%rd1+16];\n"));
  EXPECT_EQ(device.Launch("k", kSingle, kSingle, Parameters().Add(DeviceAddress{0})),
            DeviceError::kIllegalAddress);
  EXPECT_THAT(device.Findings(),
              ElementsAre("illegal_address: reads 4 bytes at 0x10, near a null pointer"));
}

TEST(Findings, AddressesThatWrapAroundAreNotTakenForRememberedOnes) {
  // The same load is executed twice: first in bounds, and then at -128 + 4 * lane, which ends at
  // 2^64.
  TestDevice device;
  device.Load(SmallKernel(R"(
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  mov.u32 %r3, 0;
AGAIN:
  ld.global.u32 %r2, [%rd3];
  add.u64 %rd3, %rd2, -128;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 2;
  @%p1 bra AGAIN;
)"));
  const DeviceAddress memory = device.device->Allocate(128).value();
  EXPECT_EQ(device.Launch("k", kSingle, {32, 1, 1}, Parameters().Add(memory)),
            DeviceError::kIllegalAddress);
  EXPECT_THAT(device.Findings(),
              ElementsAre("illegal_address: reads 4 bytes at 0xffffffffffffff80, which is not an "
                          "address of any memory"));
}

TEST(Findings, Misaligned) {
  Ran ran("  st.global.u32 [%rd1+2], 1;\n", 1);
  EXPECT_EQ(ran.error, DeviceError::kMisalignedAddress);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("misaligned: writes 4 bytes at byte 2 of the 4,096-byte array of the "
                          "kernel's 1st parameter, whose address is not a multiple of 4"));
}

constexpr std::string_view kShared = ".shared .align 4 .b8 tile[256];";

TEST(Findings, SharedOutOfBounds) {
  Ran ran(
      "  mov.u32 %r2, tile;\n  shl.b32 %r3, %r1, 3;\n  add.u32 %r2, %r2, %r3;\n"
      "  st.shared.u32 [%r2+8], %r1;\n",
      32, 64, {}, kShared);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("shared_out_of_bounds: writes 4 bytes, just past the end of the shared "
                          "variable tile (256 bytes)"));
  EXPECT_EQ(ran.first().count, 1U);
}

TEST(Findings, SharedInBoundsIsSilent) {
  Ran ran(
      "  mov.u32 %r2, tile;\n  shl.b32 %r3, %r1, 3;\n  add.u32 %r2, %r2, %r3;\n"
      "  st.shared.u32 [%r2+4], %r1;\n",
      32, 64, {}, kShared);
  EXPECT_THAT(ran.device.Findings(), IsEmpty());
}

TEST(Findings, LocalOutOfBounds) {
  Ran ran(
      "  .local .align 4 .b8 depot[16];\n  mov.u64 %rd2, depot;\n"
      "  st.local.u32 [%rd2+12], 1;\n  st.local.u32 [%rd2+16], 1;\n",
      1);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("local_out_of_bounds: writes 4 bytes at byte 16 of local memory, and the "
                          "thread has 16 bytes"));
}

TEST(Findings, Trap) {
  Ran ran(
      "  setp.eq.u32 %p1, %r1, 3;\n"
      "  // begin inline asm\n  @%p1 trap;\n  // end inline asm\n",
      32);
  EXPECT_EQ(ran.error, DeviceError::kLaunchFailure);  // as measured on an H200
  EXPECT_THAT(ran.device.Findings(), ElementsAre("trap: the kernel executes a trap instruction"));
  EXPECT_EQ(ran.first().thread->thread, (Dim3{3, 0, 0}));
}

// nvcc marks inline assembly, but not __trap(), so the hint names both causes.
TEST(Findings, TrapOfTheCompiler) {
  Ran ran("  // begin inline asm\n  mov.u32 %r2, 0;\n  // end inline asm\n  trap;\n", 32);
  EXPECT_THAT(ran.device.Findings(), ElementsAre("trap: the kernel executes a trap instruction"));
  EXPECT_THAT(
      ran.first().hint,
      testing::HasSubstr("__trap() is one. If the line has none, the compiler has put it in "
                         "place of code that can do nothing defined, such as a store to a "
                         "__constant__ variable"));
}

TEST(Findings, TrapThatNobodyReachesIsSilent) {
  Ran ran("  setp.eq.u32 %p1, %r1, 32;\n  @%p1 trap;\n", 32);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(), IsEmpty());
}

TEST(Findings, BudgetExceeded) {
  Options options;
  options.instruction_budget = 1000;
  Ran ran("FOREVER:\n  .loc 1 12 5\n  add.u32 %r2, %r2, 1;\n  bra FOREVER;\n", 32, 64, options);
  EXPECT_EQ(ran.error, DeviceError::kLaunchTimeout);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("budget_exceeded: the kernel did not end within its budget of "
                          "1,000 warp instructions, and was stopped here"));
  EXPECT_EQ(ran.first().where.Text(), "student.cu:12");
  EXPECT_LE(*ran.device.last().counters[Counter::kWarpInstructions], 1000U);
}

// A loop that runs out of its array makes millions of wrong accesses.
TEST(Findings, WrongAccessesTakeMoreOfTheBudget) {
  for (const std::string_view access :
       {"ld.shared.u32 %r2, [256];", "st.global.u32 [%rd1+64], 1;",
        "atom.global.add.u32 %r2, [%rd1+-4], 1;", "st.u32 [%rd4], 1;"}) {
    Options options;
    options.instruction_budget = access.starts_with("atom") ? 37'000 : 34'000;
    Ran ran(fmt::format("  mov.u64 %rd4, numbers;\n  cvta.const.u64 %rd4, %rd4;\nFOREVER:\n  {}\n  "
                        "add.u32 %r3, %r3, 1;\n  bra FOREVER;\n",
                        access),
            32, 64, options, ".const .align 4 .b8 numbers[64];\n.shared .align 4 .b8 tile[256];");
    EXPECT_EQ(ran.error, DeviceError::kLaunchTimeout) << access;
    ASSERT_EQ(ran.device.Findings().size(), 2U) << access;
    // Each round costs 3 instructions, and 31 more for the access; a few come before the loop.
    EXPECT_EQ(ran.first().count, 1000U * 32U) << access;
    EXPECT_NEAR(static_cast<double>(*ran.device.last().counters[Counter::kWarpInstructions]), 3000,
                10)
        << access;
  }
}

TEST(Findings, LanesThatMakeOtherMistakesAreToldApart) {
  TestDevice device;
  device.Load(
      SmallKernel("  mul.wide.u32 %rd2, %r1, 16;\n  add.u64 %rd3, %rd1, %rd2;\n"
                  "  st.global.u32 [%rd3+-64], %r1;\n"));
  ASSERT_TRUE(device.device->Allocate(64).has_value());
  const DeviceAddress freed = device.device->Allocate(128).value();
  const DeviceAddress memory = device.device->Allocate(128).value();
  // Four lanes are before the start, eight inside, and twenty past the end.
  ASSERT_EQ(device.Launch("k", kSingle, {32, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  ASSERT_EQ(device.Findings().size(), 1U);
  EXPECT_EQ(device.last().findings[0].count, 24U);
  EXPECT_EQ(device.Download<std::uint32_t>(memory + 112, 1)[0], 11U);
  // After the memory was freed, the eight lanes use freed memory.
  ASSERT_EQ(device.device->Free(freed), DeviceError::kSuccess);
  ASSERT_EQ(device.Launch("k", kSingle, {32, 1, 1}, Parameters().Add(freed)),
            DeviceError::kSuccess);
  ASSERT_EQ(device.Findings().size(), 2U);
  EXPECT_EQ(device.last().findings[0].kind, FindingKind::kOutOfBoundsWrite);
  EXPECT_EQ(device.last().findings[0].count, 24U);
  EXPECT_EQ(device.last().findings[1].kind, FindingKind::kUseAfterFree);
  EXPECT_EQ(device.last().findings[1].count, 8U);
  EXPECT_EQ(device.last().findings[1].thread->lane, 4);
}

TEST(Findings, BarrierDivergence) {
  Ran ran("  setp.ge.u32 %p1, %r1, 8;\n  @%p1 bra SKIP;\n  .loc 1 5 2\n  bar.sync 0;\nSKIP:\n", 32);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("barrier_divergence: only 8 of the 32 threads of a warp reach this "
                          "barrier: the others took another branch"));
  EXPECT_EQ(ran.first().where.Text(), "student.cu:5");
}

TEST(Findings, BarrierNotReached) {
  Ran ran("  setp.ge.u32 %p1, %r1, 32;\n  @%p1 ret;\n  .loc 1 5 2\n  bar.sync 0;\n", 96);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("barrier_not_reached: 64 of the 96 threads of the block ended without "
                          "reaching this barrier"));
  EXPECT_EQ(ran.first().where.Text(), "student.cu:5");
}

TEST(Findings, BarrierThatAllReachIsSilent) {
  Ran ran("  bar.sync 0;\n  bar.sync 0;\n", 96);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(), IsEmpty());
}

TEST(Findings, DeadlockNamesWhereEachWaits) {
  Ran ran(
      "  setp.ge.u32 %p1, %r1, 32;\n  @%p1 bra OTHER;\n  .loc 1 5 2\n  bar.sync 1, 96;\n  ret;\n"
      "OTHER:\n  .loc 1 8 2\n  bar.sync 2, 96;\n",
      96);
  EXPECT_EQ(ran.error, DeviceError::kLaunchTimeout);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("barrier_not_reached: deadlock: 1 of the 3 warps of the block waits here "
                          "at barrier 1, and no other warp will reach it",
                          "barrier_not_reached: deadlock: 2 of the 3 warps of the block wait here "
                          "at barrier 2, and no other warp will reach it"));
  EXPECT_EQ(ran.first().where.Text(), "student.cu:5");
  EXPECT_EQ(ran.device.last().findings.back().where.Text(), "student.cu:8");
}

TEST(Findings, UnsupportedInstructionSpoilsOnlyItsOwnKernel) {
  TestDevice device;
  device.Load(
      ".visible .entry bad() {\n  .reg .b32 %r<2>;\n  stacksave.u32 %r0;\n  ret;\n}\n"
      ".visible .entry good() {\n  ret;\n}\n");
  EXPECT_EQ(device.Launch("good", kSingle, kSingle, Parameters()), DeviceError::kSuccess);
  EXPECT_EQ(device.Launch("bad", kSingle, kSingle, Parameters()), DeviceError::kIllegalInstruction);
  EXPECT_THAT(
      device.Findings(),
      ElementsAre("unsupported_code: the instruction stacksave.u32 in line 6 of the PTX is not "
                  "supported by the emulator; it is in no row of a survey of 1,300 kernels"));
}

// If the count were rounded up to warps, it would overflow to zero.
TEST(Findings, ABarrierOfMoreThreadsThanABlockHasEndsTheKernel) {
  TestDevice device;
  device.Load(SmallKernel("mov.u32 %r2, 4294967295; bar.sync 1, %r2;"));
  const DeviceAddress out = device.Upload(std::vector<int>(64));
  EXPECT_EQ(device.Launch("k", kSingle, {64, 1, 1}, Parameters().Add(out)),
            DeviceError::kIllegalInstruction);
  EXPECT_THAT(device.Findings(), ElementsAre("trap: the barrier waits for 4294967295 threads, "
                                             "but a block has at most 1024"));
}

// If a kernel has mistakes on thousands of lines, the report has as many as fit, and every mistake
// is counted.
TEST(Findings, ManyLinesWithAMistakeEach) {
  constexpr int kLines = 3'000;
  std::string body;
  for (int line = 1; line <= kLines; ++line) {
    body += fmt::format("  .loc 1 {} 3\n  st.global.u32 [%rd1+{}], %r1;\n", line, 4096 + 4 * line);
  }
  Ran ran(body, 32);
  const std::vector<Finding>& findings = ran.device.last().findings;
  ASSERT_EQ(findings.size(), kMostOfAKind + 1);
  EXPECT_FALSE(findings.back().where.known());
  EXPECT_EQ(findings.back().message, "the same at more than 64 places; the others are not listed");
  EXPECT_EQ(findings.back().count, 32 * (kLines - kMostOfAKind));
  EXPECT_LE(ran.device.last().lines.size(), kMostLines + 1);
  EXPECT_EQ(ran.device.last().counters[Counter::kWarpInstructions],
            Ran("", 32).device.last().counters[Counter::kWarpInstructions].value() + kLines);
}

// Findings of one kind do not take the places of another kind.
TEST(Findings, ManyOfAKindHideNoOther) {
  std::string body;
  for (int line = 1; line <= 100; ++line) {
    body += fmt::format("  .loc 1 {} 3\n  st.global.u32 [%rd1+{}], %r1;\n", line, 4096 + 4 * line);
  }
  body += "  .loc 1 101 3\n  ld.global.u32 %r2, [%rd1+4096];\n";
  Ran ran(body, 32);
  EXPECT_EQ(ran.device.last().findings.back().kind, FindingKind::kOutOfBoundsRead);
}

// An allocation of one byte takes a whole page of the host.
TEST(Findings, ManySmallAllocationsAreNotMoreThanTheirPages) {
  Options options;
  options.memory_bytes = 1 << 20;
  TestDevice device(std::move(options));
  int allocations = 0;
  while (device.device->Allocate(1)) ++allocations;
  EXPECT_GT(allocations, 4'000);
  EXPECT_LT(allocations, 5'000);
}

// Tests which costs a kernel's budget pays, in addition to 1 for each instruction.
class Budget : public testing::Test {
 protected:
  // Returns how much of its budget a warp spends on `body`.
  std::uint64_t UsedBy(std::string_view body) { return Used(body) - Used(""); }

 private:
  static std::uint64_t Used(std::string_view body) {
    std::uint64_t left = 1'000'000;
    Options options;
    options.budget = &left;
    Ran ran(body, 32, 4096, std::move(options));
    EXPECT_EQ(ran.error, DeviceError::kSuccess);
    return 1'000'000 - left;
  }
};

TEST_F(Budget, WhatTakesLongCountsSeveralTimes) {
  EXPECT_EQ(UsedBy("add.u32 %r2, %r1, 1; add.u32 %r2, %r2, 1;"), 2u);
  EXPECT_EQ(UsedBy("fma.rn.f16x2 %r2, %r1, %r1, %r1;"), 8u);
  // This includes one look-up of the address.
  EXPECT_EQ(UsedBy("red.global.add.u32 [%rd1], 1;"), 4u + 3u);
}

TEST_F(Budget, LocalMemoryThatIsFilledCounts) {
  EXPECT_GE(UsedBy(".local .b8 frame[65536]; mov.u64 %rd2, frame; st.local.u32 [%rd2], %r1;"),
            std::uint64_t{32} * 65'536 / kBytesAnInstruction);
}

TEST_F(Budget, LaunchesCountForAllTogether) {
  std::uint64_t left = 5'000;
  Options options;
  options.overhead = &left;
  TestDevice device(std::move(options));
  device.Load(SmallKernel(""));
  const DeviceAddress memory = device.device->Allocate(64).value();
  int launches = 0;
  while (device.Launch("k", kSingle, kSingle, Parameters().Add(memory)) == DeviceError::kSuccess) {
    ++launches;
  }
  EXPECT_EQ(launches, 4);
  EXPECT_EQ(device.last().error, DeviceError::kLaunchTimeout);
  EXPECT_THAT(
      device.Findings(),
      ElementsAre("budget_exceeded: too many kernel launches: the limit for all calls together "
                  "is reached"));
}

}  // namespace
}  // namespace warpcheck::emulator

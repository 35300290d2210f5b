// Tests accesses through addresses of another space than the instruction's, and writes to read-only
// memory. They must be reported as such; accesses to the right space must not be.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>

#include "emulator/memory/device_memory.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Ran {
  explicit Ran(std::string_view body, std::string_view before = "", std::uint32_t threads = 1,
               const Options& options = {})
      : device(options) {
    device.Load(SmallKernel(body, before));
    memory = device.device->Allocate(64).value();
    error = device.Launch("k", kSingle, {threads, 1, 1}, Parameters().Add(memory));
  }

  TestDevice device;
  DeviceAddress memory = 0;
  DeviceError error = DeviceError::kUnknown;
};

constexpr std::string_view kTile = ".shared .align 4 .b8 tile[64];";

TEST(MemoryKinds, ASharedAddressIsNoGlobalOne) {
  Ran ran(
      "  mov.u64 %rd2, tile;\n  cvta.shared.u64 %rd3, %rd2;\n  .loc 1 7 1\n"
      "  st.global.u32 [%rd3+4], 1;\n",
      kTile);
  EXPECT_EQ(ran.error, DeviceError::kIllegalAddress);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("illegal_address: writes 4 bytes through an address of shared memory, "
                          "but the instruction needs global memory"));
  EXPECT_EQ(ran.device.last().findings[0].where.line, 7);
}

TEST(MemoryKinds, ALocalAddressIsNoGlobalOne) {
  Ran ran(
      "  .local .align 4 .b8 depot[16];\n  mov.u64 %rd2, depot;\n  cvta.local.u64 %rd3, %rd2;\n"
      "  ld.global.u32 %r2, [%rd3];\n  st.global.u32 [%rd1], %r2;\n");
  EXPECT_EQ(ran.error, DeviceError::kIllegalAddress);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("illegal_address: reads 4 bytes through an address of local memory, "
                          "but the instruction needs global memory"));
}

TEST(MemoryKinds, AGlobalAddressIsNoSharedOne) {
  Ran ran("  st.shared.u32 [%rd1], 1;\n", kTile);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre(fmt::format(
                  "shared_out_of_bounds: writes 4 bytes at {:#x}, an address of global memory, "
                  "but the instruction needs shared memory",
                  ran.memory)));
}

// A negative index is reported as such, even if its address has wrapped around.
TEST(MemoryKinds, WhatLiesBeforeTheStartIsNotFarBehindTheEnd) {
  constexpr std::string_view kLocal = "  .local .align 4 .b8 depot[16];\n  mov.u64 %rd2, depot;\n";
  const auto told = [](const std::string& body, std::string_view variables) {
    const auto findings = Ran(body, variables).device.Findings();
    return findings.empty() ? std::string() : findings[0];
  };
  const std::string before_tile =
      "shared_out_of_bounds: writes 4 bytes, 12 bytes before the start of the shared variable tile "
      "(64 bytes)";
  EXPECT_EQ(
      told("  mov.u32 %r2, tile;\n  add.u32 %r3, %r2, -12;\n  st.shared.u32 [%r3], 1;\n", kTile),
      before_tile);
  EXPECT_EQ(told("  mov.u64 %rd2, tile;\n  st.shared.u32 [%rd2+-12], 1;\n", kTile), before_tile);
  EXPECT_EQ(told("  mov.u64 %rd2, tile;\n  cvta.shared.u64 %rd3, %rd2;\n"
                 "  st.u32 [%rd3+-12], 1;\n",
                 kTile),
            before_tile);
  const std::string before_depot =
      "local_out_of_bounds: writes 4 bytes 12 bytes before the start of local memory, and the "
      "thread has 16 bytes";
  EXPECT_EQ(told(std::string(kLocal) + "  st.local.u32 [%rd2+-12], 1;\n", ""), before_depot);
  EXPECT_EQ(
      told(std::string(kLocal) + "  cvta.local.u64 %rd3, %rd2;\n  st.u32 [%rd3+-12], 1;\n", ""),
      before_depot);
  EXPECT_EQ(told("  mov.u64 %rd2, table;\n  ld.const.u32 %r2, [%rd2+-12];\n"
                 "  st.global.u32 [%rd1], %r2;\n",
                 ".const .align 4 .b8 table[64];"),
            "out_of_bounds_read: reads table[-3], 3 elements before the start of table");
}

TEST(MemoryKinds, AGenericAddressIsNoLocalOne) {
  Ran ran(
      "  .local .align 4 .b8 depot[16];\n  mov.u64 %rd2, depot;\n  cvta.local.u64 %rd3, %rd2;\n"
      "  st.local.u32 [%rd3], 1;\n");
  EXPECT_THAT(ran.device.Findings(),
              ElementsAre("local_out_of_bounds: writes 4 bytes at 0x4000000000000, a generic "
                          "address, but the instruction needs one of its own memory"));
}

TEST(MemoryKinds, GenericAccessesReachEverySpaceInSilence) {
  Ran ran(
      "  .local .align 4 .b8 depot[16];\n  mov.u64 %rd2, depot;\n  cvta.local.u64 %rd3, %rd2;\n"
      "  st.u32 [%rd3], 1;\n  mov.u64 %rd4, tile;\n  cvta.shared.u64 %rd5, %rd4;\n"
      "  st.u32 [%rd5], 1;\n  ld.shared.u32 %r2, [%rd4];\n  st.u32 [%rd1], %r2;\n"
      "  ld.local.u32 %r3, [%rd2];\n  st.global.u32 [%rd1+4], %r3;\n",
      kTile);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(), IsEmpty());
  EXPECT_THAT(ran.device.Download<std::uint32_t>(ran.memory, 2), ElementsAre(1, 1));
}

constexpr std::string_view kConstant = ".const .align 4 .b8 table[16] = {7, 0, 0, 0};";

TEST(MemoryKinds, ConstantMemoryIsNotWritten) {
  Ran ran(
      "  mov.u64 %rd2, table;\n  cvta.const.u64 %rd3, %rd2;\n  .loc 1 9 1\n  st.u32 [%rd3+4], 1;\n"
      "  ld.u32 %r2, [%rd3+4];\n  st.global.u32 [%rd1], %r2;\n",
      kConstant);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  ASSERT_EQ(ran.device.last().findings.size(), 1U);
  EXPECT_EQ(ran.device.last().findings[0].kind, FindingKind::kWriteToConstant);
  EXPECT_EQ(ran.device.last().findings[0].where.line, 9);
  EXPECT_THAT(ran.device.Download<std::uint32_t>(ran.memory, 1), ElementsAre(0));
}

TEST(MemoryKinds, ReadingConstantMemoryIsSilent) {
  Ran ran("  mov.u64 %rd2, table;\n  ld.const.u32 %r2, [%rd2];\n  st.global.u32 [%rd1], %r2;\n",
          kConstant);
  EXPECT_THAT(ran.device.Findings(), IsEmpty());
  EXPECT_THAT(ran.device.Download<std::uint32_t>(ran.memory, 1), ElementsAre(7));
}

// Returns a call of malloc that leaves the address in %rd2.
std::string Malloc() {
  return "  { .param .b64 a; .param .b64 r; st.param.b64 [a], 64; call (r), malloc, (a);\n"
         "  ld.param.b64 %rd2, [r]; }\n";
}
std::string Free() { return "  { .param .b64 a; st.param.b64 [a], %rd2; call free, (a); }\n"; }

constexpr char kMallocAndFree[] =
    ".extern .func (.param .b64 r) malloc (.param .b64 a);\n"
    ".extern .func free (.param .b64 a);\n";

TEST(MemoryKinds, DeviceCodeFreesWhatItAllocatedOnce) {
  Ran ran(Malloc() + Free() + "  .loc 1 4 1\n" + Free(), kMallocAndFree);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  ASSERT_EQ(ran.device.last().findings.size(), 1U);
  EXPECT_EQ(ran.device.last().findings[0].where.line, 4);
}

// It must not free memory of the host, and must not free the middle of its own memory.
TEST(MemoryKinds, DeviceCodeFreesOnlyWhatItAllocated) {
  Ran ran(
      "  .loc 1 4 1\n"
      "  { .param .b64 a; st.param.b64 [a], %rd1; call free, (a); }\n" +
          Malloc() +
          "  add.u64 %rd2, %rd2, 8;\n"
          "  .loc 1 5 1\n" +
          Free() + "  mov.u32 %r2, 7;\n  st.global.u32 [%rd1], %r2;\n",
      kMallocAndFree);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  ASSERT_EQ(ran.device.last().findings.size(), 2U);
  EXPECT_THAT(ran.device.last().findings[0].message,
              AllOf(HasSubstr("frees "), HasSubstr(", which no malloc in a kernel returned")));
  EXPECT_THAT(ran.device.last().findings[1].message,
              HasSubstr(", which is not the start of what malloc returned"));
  EXPECT_THAT(ran.device.Download<std::uint32_t>(ran.memory, 1), ElementsAre(7));
}

// There are more frees than are remembered. If any code still uses one of them, the address
// sanitizer finds it.
TEST(MemoryKinds, DeviceCodeAllocatesAndFreesForLong) {
  static_assert(std::size_t{32} * 140 > DeviceMemory::kFreedRemembered);
  Options options;
  options.checkers.push_back(CheckerNamed("initialisation"));
  Ran ran(
      "  mov.u32 %r2, 0;\n"
      "again:\n" +
          Malloc() + "  st.global.u32 [%rd2], %r2;\n  ld.global.u32 %r3, [%rd2];\n" + Free() +
          "  add.u32 %r2, %r2, 1;\n  setp.lt.u32 %p1, %r2, 140;\n  @%p1 bra again;\n"
          "  st.global.u32 [%rd1], %r3;\n",
      kMallocAndFree, 32, options);
  EXPECT_EQ(ran.error, DeviceError::kSuccess);
  EXPECT_THAT(ran.device.Findings(), IsEmpty());
  EXPECT_THAT(ran.device.Download<std::uint32_t>(ran.memory, 1), ElementsAre(139));
}

}  // namespace
}  // namespace warpcheck::emulator

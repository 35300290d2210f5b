// Tests accesses that leave a shared variable but not shared memory. Each kernel of
// data/shared_variables.cu must be reported where it says so, and nowhere else. The texts of
// findings are tested too, and that the access is executed nevertheless.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"
#include "emulator/speaking_kernels.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Options InTheStudentsFile() {
  Options options;
  options.is_student_file = [](std::string_view path) { return path.ends_with("variables.cu"); };
  return options;
}

struct Ran {
  explicit Ran(const std::string& name, const Dim3& grid, const Dim3& block,
               Options options = InTheStudentsFile())
      : device(std::move(options)) {
    const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/shared_variables.ptx");
    EXPECT_TRUE(ptx.has_value());
    if (ptx) device.Load(*ptx);
    out = device.Upload(std::vector<int>(16384));
    const DeviceAddress in = device.Upload(std::vector<int>(16384));
    EXPECT_EQ(device.Launch(name, grid, block, Parameters().Add(out).Add(in), 256),
              DeviceError::kSuccess);
  }

  TestDevice device;
  DeviceAddress out = 0;
};

class SharedVariables : public testing::TestWithParam<SpeakingKernel> {};

TEST_P(SharedVariables, AreLeftAtTheirLinesAlone) {
  const SpeakingKernel& kernel = GetParam();
  const Ran ran(kernel.name, kernel.grid, kernel.block);
  EXPECT_EQ(LinesOf(ran.device.last().findings), kernel.expected);
}

// Other checkers see the same accesses, but report nothing.
TEST_P(SharedVariables, AreNoConcernOfOtherCheckers) {
  const SpeakingKernel& kernel = GetParam();
  if (!kernel.expected.empty()) return;
  Options options = InTheStudentsFile();
  options.checkers.push_back(CheckerNamed("races"));
  options.checkers.push_back(CheckerNamed("initialisation"));
  EXPECT_THAT(Ran(kernel.name, kernel.grid, kernel.block, options).device.Findings(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, SharedVariables,
    testing::ValuesIn(SpeakingKernels(WARPCHECK_TEST_DATA "/shared_variables.cu")),
    [](const testing::TestParamInfo<SpeakingKernel>& kernel) { return kernel.param.name; });

std::vector<std::string> Messages(const std::string& kernel, std::uint32_t threads) {
  return Ran(kernel, {1, 1, 1}, {threads, 1, 1}).device.Findings();
}

TEST(SharedVariables, AreNamed) {
  EXPECT_THAT(Messages("one_past_the_end", 64),
              ElementsAre("shared_out_of_bounds: writes 4 bytes, just past the end of the shared "
                          "variable first (256 bytes), where second lies"));
  EXPECT_THAT(
      Messages("far_beyond", 32),
      ElementsAre("shared_out_of_bounds: reads 4 bytes, 128 bytes past the end of the shared "
                  "variable first (128 bytes), where second lies"));
  EXPECT_THAT(Messages("before_the_start", 64),
              ElementsAre("shared_out_of_bounds: reads 4 bytes, 4 bytes before the start of the "
                          "shared variable second (256 bytes), where first lies"));
  EXPECT_THAT(Messages("across_the_end", 32),
              ElementsAre("shared_out_of_bounds: reads 16 bytes, across the end of the shared "
                          "variable first (124 bytes): only 12 bytes are inside"));
  EXPECT_THAT(Messages("into_dynamic_memory", 32),
              ElementsAre("shared_out_of_bounds: writes 4 bytes, just past the end of the shared "
                          "variable fixed (128 bytes), where dynamic shared memory lies"));
  EXPECT_THAT(Messages("before_dynamic_memory", 32),
              ElementsAre("shared_out_of_bounds: reads 4 bytes, 4 bytes before the start of the "
                          "dynamic shared memory (256 bytes), where fixed lies"));
}

TEST(SharedVariables, AreLeftByTheThreadsThatDo) {
  const Ran ran("one_past_the_end", {1, 1, 1}, {64, 1, 1});
  const Finding& finding = ran.device.last().findings.at(0);
  EXPECT_EQ(finding.count, 1U);
  ASSERT_TRUE(finding.thread.has_value());
  EXPECT_EQ(*finding.thread, (ThreadPosition{{0, 0, 0}, {63, 0, 0}, 31}));
}

// If an instruction remembers an address from one warp, the address is checked for the next warp
// too.
TEST(SharedVariables, AreLookedAtInEveryBlock) {
  const Ran ran("one_past_the_end", {5, 1, 1}, {64, 1, 1});
  EXPECT_EQ(ran.device.last().findings.at(0).count, 5U);
}

constexpr std::string_view kTwo = R"(
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 first[128];
  .shared .align 4 .b8 second[128];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, first;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3+128], %r1;
  mov.u32 %r4, second;
  add.u32 %r4, %r4, %r2;
  ld.shared.u32 %r5, [%r4];
  st.shared.u32 [second+128], %r1;
  cvt.u64.u32 %rd2, %r2;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r5;
  ret;
}
)";

// As on hardware, a value written beyond `first` is read from `second`. Beyond all of shared memory
// nothing can be written.
TEST(SharedVariables, HoldWhatWasWrittenBeyondAnother) {
  TestDevice test;
  test.Load(kTwo);
  const DeviceAddress out = test.Upload(std::vector<std::uint32_t>(32));
  ASSERT_EQ(test.Launch("k", {1, 1, 1}, {32, 1, 1}, Parameters().Add(out)), DeviceError::kSuccess);
  std::vector<std::uint32_t> lanes(32);
  for (std::uint32_t i = 0; i < 32; ++i) lanes[i] = i;
  EXPECT_EQ(test.Download<std::uint32_t>(out, 32), lanes);
  EXPECT_THAT(test.Findings(),
              ElementsAre("shared_out_of_bounds: writes 4 bytes, just past the end of the shared "
                          "variable first (128 bytes), where second lies",
                          "shared_out_of_bounds: writes 4 bytes, just past the end of the shared "
                          "variable second (128 bytes)"));
  EXPECT_EQ(test.last().shared_bytes, 256U);
}

// Returns the findings for an address that moves through `length` registers, one in each round of a
// loop, from the last to the first.
std::vector<std::string> FindingsAfter(int length) {
  std::string chain;
  for (int i = 0; i < length; ++i) chain += fmt::format("  mov.u32 %q{}, %q{};\n", i, i + 1);
  TestDevice test;
  test.Load(SmallKernel(
      fmt::format("  .reg .b32 %q<{}>;\n  mov.u32 %r2, 0;\nAGAIN:\n{}  mov.u32 %q{}, tile;\n"
                  "  add.u32 %r2, %r2, 1;\n  setp.le.u32 %p1, %r2, {};\n  @%p1 bra AGAIN;\n"
                  "  st.shared.u32 [%q0+256], %r1;\n  st.shared.u32 [other], %r1;\n",
                  length + 1, chain, length, length),
      ".shared .align 4 .b8 tile[256];\n.shared .align 4 .b8 other[256];"));
  const DeviceAddress memory = test.device->Allocate(64).value();
  EXPECT_EQ(test.Launch("k", {1, 1, 1}, {1, 1, 1}, Parameters().Add(memory)),
            DeviceError::kSuccess);
  return test.Findings();
}

// An address is followed through many registers, but not without a limit.
TEST(SharedVariables, AreFollowedThroughRegisters) {
  EXPECT_THAT(FindingsAfter(20),
              ElementsAre("shared_out_of_bounds: writes 4 bytes, just past the end of the shared "
                          "variable tile (256 bytes), where other lies"));
  EXPECT_THAT(FindingsAfter(200), IsEmpty());
}

}  // namespace
}  // namespace warpcheck::emulator

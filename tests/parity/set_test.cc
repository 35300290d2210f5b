#include "proof/parity/set.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/files.h"
#include "emulator/emulator.h"
#include "proof/parity/plain_launches.h"

namespace warpcheck::parity {
namespace {

constexpr std::string_view kHead = "module = \"k.ptx\"\nbuffer_bytes = 64\n";
constexpr std::string_view kAssignment = "[[assignment]]\nname = \"a\"\ncases = \"*\"\n";

Result<Set> Read(const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) / "set.toml";
  EXPECT_TRUE(WriteFile(path, text));
  auto set = ReadSet(path);
  if (!set && set.error().where.known()) {
    EXPECT_EQ(set.error().where.file, path.string());
  }
  return set;
}

std::string ErrorOf(const std::string& launch) {
  const auto set = Read(std::string(kHead) + std::string(kAssignment) + "[[launch]]\n" + launch);
  return set ? std::string("none") : set.error().message;
}

constexpr std::string_view kLaunch = "name = \"n\"\nkernel = \"k\"\ngrid = [2]\nblock = [32, 2]\n";

TEST(Set, HoldsLaunchesAndAssignments) {
  const auto set = Read(std::string(kHead) + std::string(kAssignment) + "[[launch]]\n" +
                        std::string(kLaunch) + "shared = 16\narguments = [\"zeros+4\", -7]\n");
  ASSERT_TRUE(set) << set.error().Text();
  EXPECT_EQ(set->module.filename(), "k.ptx");
  ASSERT_THAT(set->assignments, testing::SizeIs(1));
  EXPECT_EQ(set->assignments[0].cases, "*");
  ASSERT_THAT(set->launches, testing::SizeIs(1));
  const PlainLaunch& launch = set->launches[0];
  EXPECT_EQ(launch.grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{32, 2, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 16U);
  EXPECT_EQ(std::get<Pointer>(launch.arguments.at(0)).buffer, Buffer::kZeros);
  EXPECT_EQ(std::get<Pointer>(launch.arguments.at(0)).offset, 4U);
  EXPECT_EQ(std::get<std::int32_t>(launch.arguments.at(1)), -7);
}

TEST(Set, SaysWhatIsWrong) {
  const std::string good(kLaunch);
  EXPECT_EQ(ErrorOf(good), "\"arguments\" must be a list");
  EXPECT_EQ(ErrorOf(good + "arguments = [\"twos\"]\n"),
            "an argument must be a 32-bit number, or \"ones\", \"zeros\" or \"hashed\", perhaps "
            "with \"+bytes\"");
  EXPECT_EQ(ErrorOf(good + "arguments = [\"ones+65\"]\n"), "the offset is beyond the buffer");
  EXPECT_EQ(ErrorOf(good + "shared = -1\narguments = []\n"),
            "\"shared\" must be a whole number from 0 to 2^32 - 1");
  EXPECT_EQ(ErrorOf("name = \"n\"\nkernel = \"k\"\ngrid = [0]\nblock = [1]\narguments = []\n"),
            "\"grid\" must be one to three whole numbers");
  EXPECT_EQ(ErrorOf("kernel = \"k\"\n"), "\"name\" must be a text");
  EXPECT_EQ(Read("module = 3\n").error().message, "\"module\" must be a text");
  EXPECT_FALSE(Read("module = \n"));
  EXPECT_FALSE(ReadSet("/nonexistent/set.toml"));
}

// This test uses the emulator directly, not in a process of its own.
Result<> UseEmulator(DeviceLog& log, const std::function<Result<>(Device&)>& use) {
  return use(*emulator::MakeEmulator(log));
}

constexpr std::string_view kPtx = R"(
.version 8.0
.target sm_90
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 p, .param .u32 n)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  .loc 1 5 1
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

PlainLaunch Launch() {
  PlainLaunch launch;
  launch.name = "stores";
  launch.kernel = "k";
  launch.block = {64, 1, 1};
  launch.arguments = {Pointer{Buffer::kZeros, 0}, std::int32_t{3}};
  return launch;
}

TEST(PlainLaunches, AreMeasuredOnADeviceOfTheirOwn) {
  const auto measured = Measure(Launch(), kPtx, 256, &UseEmulator);
  ASSERT_TRUE(measured) << measured.error().Text();
  EXPECT_EQ(measured->Name(), "launches stores #0");
  EXPECT_EQ(measured->not_counted, "");
  ASSERT_THAT(measured->lines, testing::SizeIs(1));
  EXPECT_EQ(measured->lines[0].where, (SourceLocation{.file = "k.cu", .line = 5}));
  EXPECT_EQ(measured->lines[0].counters[Counter::kGlobalSectors], 8U);
}

TEST(PlainLaunches, SayWhatDoesNotFit) {
  const auto error = [](const PlainLaunch& launch, std::string_view ptx = kPtx) {
    const auto measured = Measure(launch, ptx, 256, &UseEmulator);
    return measured ? std::string("none") : measured.error().message;
  };
  PlainLaunch launch = Launch();
  launch.kernel = "other";
  EXPECT_EQ(error(launch), "launch \"stores\": the module has no kernel other");
  launch = Launch();
  launch.arguments.pop_back();
  EXPECT_EQ(error(launch), "launch \"stores\": k has 2 parameters, not 1");
  launch.arguments = {Pointer{}, Pointer{}};
  EXPECT_EQ(error(launch),
            "launch \"stores\": parameter 2 of k has 4 bytes, for which argument 2 does not fit");
  EXPECT_THAT(error(Launch(), "nonsense"),
              testing::StartsWith("launch \"stores\": the module does not load: "));
  launch = Launch();
  launch.block = {2048, 1, 1};
  const auto refused = Measure(launch, kPtx, 256, &UseEmulator);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->not_counted, "cudaErrorInvalidValue");
}

}  // namespace
}  // namespace warpcheck::parity

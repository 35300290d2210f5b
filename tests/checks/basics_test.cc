// Texts, random inputs, plans and the watched device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <span>

#include "base/demangle.h"
#include "base/files.h"
#include "checks/assignment.h"
#include "checks/mismatch.h"
#include "checks/plan.h"
#include "checks/random.h"
#include "checks/text.h"
#include "checks/watched_device.h"

// Students': they are not defined here.
void planned_function(const float* in, float* out, int rows, bool flag, const double* table);
void repeating(const float*, const float*, float*, float* const*, const float* const*);
void without_parameters();
extern "C" void of_c(const float*);
namespace course {
void inside(float*);
}

namespace warpcheck {
namespace {

using testing::ElementsAre;

TEST(Text, GroupsThousands) {
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(1000), "1,000");
  EXPECT_EQ(Grouped(1'234'567), "1,234,567");
  EXPECT_EQ(Counted(1, "byte"), "1 byte");
  EXPECT_EQ(Counted(2000, "byte"), "2,000 bytes");
}

TEST(Text, WritesRatiosShortly) {
  EXPECT_EQ(Ratio(0.125), "0.125");
  EXPECT_EQ(Ratio(32), "32.0");
  EXPECT_EQ(Ratio(31.5), "31.5");
  EXPECT_EQ(Ratio(0.0001), "0.0");
}

TEST(Text, DemanglesNames) {
  EXPECT_EQ(DemangleType("_Z9transposePKfPfii"), "transpose(float const*, float*, int, int)");
  EXPECT_EQ(DemangleType("main"), "main");
}

TEST(Random, IsTheSameForTheSameSeedAndLabel) {
  EXPECT_EQ(Random(7, "32x32").Floats(100), Random(7, "32x32").Floats(100));
  EXPECT_NE(Random(7, "32x32").Floats(100), Random(8, "32x32").Floats(100));
  EXPECT_NE(Random(7, "32x32").Floats(100), Random(7, "32x33").Floats(100));
}

// Pinned: inputs are equal on every machine, and a seed in an old report still repeats its run.
TEST(Random, GivesTheseNumbers) {
  const auto floats = Random(20260, "1000x1003").Floats(3);
  EXPECT_THAT(floats, ElementsAre(-0.135291323f, -0.135291323f, -0.552702844f));
}

TEST(Random, StaysInItsRange) {
  for (const float value : Random(1, "a").Floats(10'000, 2, 3)) {
    ASSERT_GE(value, 2.0f);
    ASSERT_LT(value, 3.0f);
  }
  std::set<int> seen;
  for (const int value : Random(1, "a").Ints(1'000, -2, 2)) seen.insert(value);
  EXPECT_THAT(seen, ElementsAre(-2, -1, 0, 1, 2));
}

// Of each hundred, how many hold this.
double Percent(const std::vector<float>& values, bool (*holds)(float)) {
  return 100.0 * static_cast<double>(std::ranges::count_if(values, holds)) /
         static_cast<double>(values.size());
}

TEST(Random, MixesInWhatProgramsTreatOtherwise) {
  const std::vector<float> values = Random(1, "a").Floats(100'000, -1, 1, kAnyFloat);
  const auto is_zero = [](float value) { return value == 0 && !std::signbit(value); };
  const auto is_negative_zero = [](float value) { return value == 0 && std::signbit(value); };
  const auto is_denormal = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; };
  const auto is_infinite = [](float value) { return std::isinf(value); };
  const auto is_nan = [](float value) { return std::isnan(value) && !IsUnwritten(value); };
  const auto is_large = [](float value) { return std::isfinite(value) && std::abs(value) > 1e6; };
  EXPECT_THAT(Percent(values, is_zero), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_negative_zero), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_denormal), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_infinite), testing::DoubleNear(2, 0.5));
  EXPECT_THAT(Percent(values, is_nan), testing::DoubleNear(3, 0.5));
  EXPECT_THAT(Percent(values, is_large), testing::DoubleNear(2.4, 0.5));
  EXPECT_FALSE(std::ranges::any_of(values, &IsUnwritten<float>));
  EXPECT_EQ(BytesOf(values), BytesOf(Random(1, "a").Floats(100'000, -1, 1, kAnyFloat)));

  const std::vector<float> plain = Random(1, "a").Floats(100'000, -1, 1, kPlain);
  EXPECT_EQ(std::ranges::count(plain, 0.0F), 0);
  EXPECT_TRUE(std::ranges::all_of(plain, [](float value) { return std::isnormal(value); }));
}

TEST(Random, GivesMultiplesThatAddUpExactly) {
  const std::vector<float> values = Random(1, "a").Multiples(10'000, 0.25F, -1000, 1000);
  for (const float value : values) {
    ASSERT_LE(std::abs(value), 250);
    ASSERT_EQ(value * 4, std::round(value * 4));
  }
  for (const float wanted : {0.0F, -0.0F, 250.0F, -250.0F}) {
    EXPECT_GT(std::ranges::count_if(
                  values,
                  [&](float value) { return BytesOf<float>({value}) == BytesOf<float>({wanted}); }),
              50);
  }
  for (const float value : Random(1, "a").Multiples(1'000, 1, 1, 3)) EXPECT_GE(value, 1);
}

TEST(CaseNames, RemembersTheParametersThatItNames) {
  EXPECT_EQ(CaseNames()(testing::TestParamInfo<short>(7, 0)), "7");
  EXPECT_EQ(CaseNames("steps_of_")(testing::TestParamInfo<short>(9, 1)), "steps_of_9");
  EXPECT_THAT(AllCases<short>(), ElementsAre(testing::Pair("7", 7), testing::Pair("9", 9)));
}

TEST(Plan, KeepsTheCall) {
  const DeviceArray<const float> in{std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {1}, std::vector<std::byte>(4), true})};
  const DeviceArray<float> out{std::make_shared<ArrayStart>(
      ArrayStart{typeid(float), {1}, std::vector<std::byte>(4), false})};
  const Plan plan = MakePlan<&planned_function>(in, out, 3, true, HostArray<double>{{0.0, 0.25}});
  EXPECT_EQ(plan.function, "_Z16planned_functionPKfPfibPKd");
  EXPECT_THAT(plan.arrays, ElementsAre(in.start, out.start));
  ASSERT_EQ(plan.arguments.size(), 5u);
  EXPECT_EQ(std::get<Plan::ArrayIndex>(plan.arguments[1]), 1u);
  EXPECT_EQ(std::get<std::int32_t>(std::get<remote::Argument>(plan.arguments[2])), 3);
  EXPECT_EQ(std::get<bool>(std::get<remote::Argument>(plan.arguments[3])), true);
  EXPECT_EQ(std::get<remote::HostArray>(std::get<remote::Argument>(plan.arguments[4])).bytes.size(),
            16u);
}

TEST(Plan, NamesAFunctionThatIsOnlyDeclared) {
  EXPECT_EQ(FunctionOf<&repeating>().mangled, "_Z9repeatingPKfS0_PfPKS1_PKS0_");
  EXPECT_EQ(FunctionOf<&without_parameters>().mangled, "_Z18without_parametersv");
  EXPECT_EQ(FunctionOf<&of_c>().mangled, "of_c");
  EXPECT_DEATH((void)FunctionOf<&course::inside>(), "to be in no namespace");
}

// Accepts everything.
struct FakeDevice : Device {
  const DeviceProperties& Properties() const override { return properties; }
  MemoryInfo Memory() override { return {}; }
  DeviceResult<DeviceAddress> Allocate(std::uint64_t, DeviceAddress) override { return 0x9000; }
  DeviceError Free(DeviceAddress address) override {
    freed.push_back(address);
    return DeviceError::kSuccess;
  }
  DeviceError Reset() override { return answer; }
  bool Holds(DeviceAddress, std::uint64_t) override { return true; }
  DeviceError WriteBox(const DeviceBox&, const Extent3&, std::span<const std::byte>) override {
    return answer;
  }
  DeviceError ReadBox(const DeviceBox&, const Extent3&, std::span<std::byte> bytes) override {
    std::ranges::fill(bytes, contents);
    return answer;
  }
  DeviceError CopyBox(const DeviceBox&, const DeviceBox&, const Extent3&) override {
    return answer;
  }
  DeviceError FillBox(const DeviceBox&, const Extent3&, std::byte) override { return answer; }
  DeviceResult<ModuleInfo> LoadModule(std::string_view) override { return module; }
  DeviceError UnloadModule(ModuleId) override { return answer; }
  DeviceError Launch(const LaunchRequest&) override { return answer; }
  void NoteUnsupportedCall(std::string_view) override {}
  void NoteMisuse(FindingKind kind, std::string_view) override { misuses.emplace_back(Name(kind)); }

  DeviceProperties properties;
  ModuleInfo module;
  DeviceError answer = DeviceError::kSuccess;
  std::byte contents{0};
  std::vector<DeviceAddress> freed;
  std::vector<std::string> misuses;
};

class Watched : public testing::Test {
 protected:
  Watched() {
    watched_.Watch(0x1000, 64, /*is_input=*/true);
    watched_.Watch(0x2000, 64, /*is_input=*/false);
  }

  FakeDevice device_;
  WatchedDevice watched_{device_};
  std::vector<std::byte> bytes_ = std::vector<std::byte>(16);
};

TEST_F(Watched, CountsWhatTheHostWritesToOutputs) {
  EXPECT_EQ(watched_.Write(0x2030, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), (HostTraffic{.written_to_outputs = 16}));
}

LaunchRequest LaunchWith(std::initializer_list<std::uint32_t> words) {
  LaunchRequest request;
  request.parameters.resize(words.size() * 4);
  std::ranges::copy(std::as_bytes(std::span(words)), request.parameters.begin());
  return request;
}

// Constants and tables are the host's to make, until it has read something.
TEST_F(Watched, NotesWhatTheHostAsksForOnceItHasRead) {
  EXPECT_EQ(watched_.Write(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Launch(LaunchWith({1})), DeviceError::kSuccess);
  EXPECT_TRUE(watched_.Requests().empty());
  EXPECT_EQ(watched_.Read(0x1000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), (HostTraffic{.read_back = 16}));
  EXPECT_TRUE(watched_.Allocate(512, 0));
  EXPECT_EQ(watched_.Write(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_TRUE(watched_.Requests().empty());  // that no kernel sees
  EXPECT_EQ(watched_.Launch(LaunchWith({1})), DeviceError::kSuccess);
  EXPECT_FALSE(watched_.Requests().empty());
  watched_.ForgetTraffic();
  EXPECT_TRUE(watched_.Requests().empty());
}

TEST_F(Watched, TakesFreeMemoryForNewsOnceKernelsMayHaveAllocated) {
  static_cast<void>(watched_.Memory());
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  static_cast<void>(watched_.Memory());
  EXPECT_EQ(watched_.Traffic().read_back, 8u);
}

// What the copy engine brings there before any kernel has run is not the host's own.
TEST_F(Watched, CountsWhatWasCopiedToTheHostsMemory) {
  device_.contents = std::byte{1};
  EXPECT_EQ(watched_.Copy(0x9100, 0x9000, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9100, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  EXPECT_EQ(watched_.Copy(0x9000, 0x1000, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 16u);
}

TEST_F(Watched, TakesWhatTheHostHadForNoNews) {
  EXPECT_EQ(watched_.Write(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), HostTraffic{});
  device_.contents = std::byte{1};
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), (HostTraffic{.read_back = 16}));
}

TEST_F(Watched, LetsTheRuntimeAskForAddressesAndCountsEachByteThatIsRead) {
  const std::span<std::byte> one = std::span(bytes_).first(1);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(watched_.Holds(0x1000, 1));
  EXPECT_EQ(watched_.Write(0x9000, bytes_), DeviceError::kSuccess);  // a texture's descriptor
  EXPECT_EQ(watched_.Traffic(), HostTraffic{});
  EXPECT_EQ(watched_.Read(0x1000, one), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), (HostTraffic{.read_back = 1}));
}

TEST_F(Watched, KnowsAPartOfWhatWasWrittenAsAWhole) {
  EXPECT_EQ(watched_.Write(0x9000, std::vector<std::byte>(64)), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Launch(LaunchWith({})), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Write(0x9010, std::vector<std::byte>(16, std::byte{7})),
            DeviceError::kSuccess);
  EXPECT_EQ(watched_.Read(0x9000, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  device_.contents = std::byte{7};
  EXPECT_EQ(watched_.Read(0x9010, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 0u);
  EXPECT_EQ(watched_.Read(0x9018, bytes_), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().read_back, 8u);
}

TEST_F(Watched, NotesThatTheArraysWereGivenUp) {
  EXPECT_EQ(watched_.Reset(), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Reset(), DeviceError::kSuccess);
  EXPECT_THAT(device_.misuses, ElementsAre("invalid_free"));
  EXPECT_TRUE(watched_.Traffic().reset);
}

// Of modules that have kernels and of those that have none.
TEST_F(Watched, CountsWhatIsCopiedToConstantMemory) {
  device_.module.variables = {
      {"table", 0x5000, 256, true}, {"plain", 0x6000, 256, false}, {"used", 0x7000, 256, true}};
  EXPECT_TRUE(watched_.LoadModule(""));
  EXPECT_EQ(watched_.Copy(0x5080, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), (HostTraffic{.copied_to_constants = 128}));
  EXPECT_EQ(watched_.Copy(0x6000, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Copy(0x5100, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().copied_to_constants, 128u);
  EXPECT_EQ(watched_.Copy(0x7000, 0x1000, 128), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic().copied_to_constants, 256u);
}

TEST_F(Watched, CountsCopiesFromInputToOutputAlone) {
  EXPECT_EQ(watched_.Copy(0x2000, 0x9000, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Fill(0x2000, std::byte{0}, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), HostTraffic{});
  EXPECT_EQ(watched_.Copy(0x2000, 0x1000, 16), DeviceError::kSuccess);
  EXPECT_EQ(watched_.Traffic(), (HostTraffic{.copied_input_to_output = 16}));
}

TEST_F(Watched, DoesNotCountWhatFailed) {
  device_.answer = DeviceError::kInvalidValue;
  EXPECT_EQ(watched_.Write(0x2000, bytes_), DeviceError::kInvalidValue);
  EXPECT_EQ(watched_.Read(0x1000, bytes_), DeviceError::kInvalidValue);
  EXPECT_EQ(watched_.Copy(0x2000, 0x1000, 16), DeviceError::kInvalidValue);
  EXPECT_EQ(watched_.Traffic(), HostTraffic{});
}

TEST_F(Watched, DoesNotLetTheArraysGo) {
  EXPECT_EQ(watched_.Free(0x1000), DeviceError::kInvalidValue);
  EXPECT_EQ(watched_.Free(0x9000), DeviceError::kSuccess);
  EXPECT_THAT(device_.freed, ElementsAre(DeviceAddress{0x9000}));
}

}  // namespace
}  // namespace warpcheck

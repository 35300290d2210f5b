// Tests that a launch has the same results on any number of threads, with the kernels of
// data/parallel.cu.
#include <gmock/gmock.h>

#include <atomic>
#include <new>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "device/record_json.h"
#include "emulator/core/observer.h"
#include "emulator/test_device.h"

namespace warpcheck::emulator {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kElements = 20'000;
constexpr std::uint32_t kThreads =
    96;  // threads of a block; with this number, blocks begin in the middle of lines
constexpr std::uint32_t kBlocks = (kElements + kThreads - 1) / kThreads;
constexpr std::uint64_t kBudget = 3'000'000;

enum class Watch { kNothing, kShuffled, kEverything };

// Everything that can be observed of some launches, and which attempts to run one on several
// threads were kept.
struct Outcome {
  std::vector<std::string> records;
  std::vector<std::string> findings;  // the kinds of the first launch's findings
  std::vector<DeviceError> errors;
  std::string printed;
  std::vector<int> first, second;
  std::vector<std::string> kept;
};

Options OptionsFor(Watch watch, unsigned threads, std::vector<std::string>& kept) {
  Options options;
  options.instruction_budget = kBudget;
  options.threads = threads;
  options.on_parallel = [&kept](bool one) { kept.emplace_back(one ? "kept" : "left"); };
  if (watch != Watch::kNothing) options.order_seed = 7;
  if (watch == Watch::kEverything) {
    options.checkers.push_back(CheckerNamed("races"));
    options.checkers.push_back(CheckerNamed("initialisation"));
  }
  return options;
}

Parameters ArgumentsOf(DeviceAddress out, DeviceAddress in) {
  Parameters parameters;
  for (const DeviceAddress address : {out, in}) parameters.Add(address);
  parameters.Add(kElements);
  return parameters;
}

// Launches the kernel twice. The second launch finds what the first one has written.
Outcome RunOn(unsigned threads, const std::string& kernel, Watch watch) {
  Outcome outcome;
  TestDevice device(OptionsFor(watch, threads, outcome.kept));
  const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/parallel.ptx");
  EXPECT_TRUE(ptx.has_value());
  if (ptx) device.Load(*ptx);
  std::vector<int> values(kElements);
  for (int i = 0; i < kElements; ++i) values[static_cast<std::size_t>(i)] = i * 7 % 1001;
  const DeviceAddress out = device.Upload(values);
  const DeviceAddress in = device.Upload(values);
  const Parameters parameters = ArgumentsOf(out, in);
  for (int round = 0; round < 2; ++round) {
    outcome.errors.push_back(device.Launch(kernel, {kBlocks, 1, 1}, {kThreads, 1, 1}, parameters));
  }
  for (const LaunchRecord& record : device.log.launches) {
    outcome.records.push_back(ToJson(record).dump());
  }
  for (const Finding& finding : device.log.launches.front().findings) {
    outcome.findings.emplace_back(Name(finding.kind));
  }
  outcome.printed = device.log.printed;
  outcome.first = device.Download<int>(out, kElements);
  outcome.second = device.Download<int>(in, kElements);
  return outcome;
}

// Says what happens to attempts to run a kernel on several threads. kKept: they succeed. kLeft: the
// first attempt fails, and there is no other. kEither: it depends on the blocks that each thread
// happens to run.
enum class Attempts { kKept, kLeft, kEither };

struct Case {
  std::string kernel;
  Attempts attempts = Attempts::kKept;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.kernel; }

class Parallel : public testing::TestWithParam<std::tuple<Case, Watch>> {};

// The observer that records stores is added after the emulator was made.
TEST(ParallelRun, SeesStoresOnSeveralThreads) {
  std::vector<std::string> kept;
  TestDevice device(OptionsFor(Watch::kNothing, 2, kept));
  const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/parallel.ptx");
  ASSERT_TRUE(ptx.has_value());
  device.Load(*ptx);
  const DeviceAddress out = device.Upload(std::vector<int>(kElements));
  const DeviceAddress in = device.Upload(std::vector<int>(kElements));
  const std::uint64_t bytes = kElements * sizeof(int);
  ASSERT_TRUE(device.device->TakeStored(out, bytes).has_value());
  ASSERT_EQ(device.Launch("scale", {kBlocks, 1, 1}, {kThreads, 1, 1}, ArgumentsOf(out, in)),
            DeviceError::kSuccess);
  EXPECT_EQ(device.device->TakeStored(out, bytes), std::vector<bool>(bytes, true));
}

// The first call asks for more memory than there is.
class Greedy : public Observer {
 public:
  static inline std::atomic<bool> hungry = false;
  void OnAccess(const AccessEvent&) override {
    if (hungry.exchange(false)) throw std::bad_alloc();
  }
};

TEST(ParallelRun, LeavesToOneThreadWhatMemoryIsShortFor) {
  constexpr Checker kGreedy{
      .name = "greedy", .finds = "", .make = []() -> std::unique_ptr<Observer> {
        return std::make_unique<Greedy>();
      }};
  std::vector<std::string> kept;
  Options options = OptionsFor(Watch::kNothing, 2, kept);
  options.checkers.push_back(&kGreedy);
  TestDevice device(std::move(options));
  const auto ptx = ReadFile(WARPCHECK_EMULATOR_COMPILED "/parallel.ptx");
  ASSERT_TRUE(ptx);
  device.Load(*ptx);
  const DeviceAddress in = device.Upload(std::vector<int>(kElements, 1));
  const DeviceAddress out = device.Upload(std::vector<int>(kElements));
  Greedy::hungry = true;
  EXPECT_EQ(device.Launch("scale", {kBlocks, 1, 1}, {kThreads, 1, 1}, ArgumentsOf(out, in)),
            DeviceError::kSuccess);
  EXPECT_THAT(kept, ElementsAre("left"));
}

TEST_P(Parallel, GivesTheSameAsOneThread) {
  const auto& [one, watch] = GetParam();
  const Outcome alone = RunOn(1, one.kernel, watch);
  EXPECT_THAT(alone.kept, IsEmpty());
  for (const unsigned threads : {2U, 3U, 7U}) {
    const Outcome together = RunOn(threads, one.kernel, watch);
    EXPECT_EQ(together.records, alone.records) << threads << " threads";
    EXPECT_EQ(together.errors, alone.errors) << threads << " threads";
    EXPECT_EQ(together.printed, alone.printed) << threads << " threads";
    EXPECT_TRUE(together.first == alone.first) << threads << " threads";
    EXPECT_TRUE(together.second == alone.second) << threads << " threads";
    if (one.attempts == Attempts::kKept) {
      EXPECT_THAT(together.kept, ElementsAre("kept", "kept"));
    } else if (one.attempts == Attempts::kLeft) {
      EXPECT_THAT(together.kept, ElementsAre("left"));
    }
  }
}

std::string NameOf(const testing::TestParamInfo<Parallel::ParamType>& info) {
  const char* const names[] = {"", "_shuffled", "_watched"};
  return std::get<0>(info.param).kernel + names[static_cast<int>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Parallel,
    testing::Combine(
        testing::Values(Case{"scale", Attempts::kKept}, Case{"in_place", Attempts::kKept},
                        Case{"bytes", Attempts::kKept}, Case{"scatter", Attempts::kKept},
                        Case{"transpose_tiles", Attempts::kKept},
                        Case{"histogram_of_block", Attempts::kKept}, Case{"calls", Attempts::kKept},
                        Case{"atomic_count", Attempts::kLeft}, Case{"ticket", Attempts::kLeft},
                        Case{"neighbours", Attempts::kEither}, Case{"same_flag", Attempts::kEither},
                        Case{"last_one_wins", Attempts::kEither}, Case{"says_so", Attempts::kLeft},
                        Case{"clocks", Attempts::kLeft}, Case{"beyond", Attempts::kLeft},
                        Case{"asserts", Attempts::kLeft}, Case{"one_never_ends", Attempts::kLeft},
                        Case{"waits_for_the_first", Attempts::kEither},
                        Case{"traps", Attempts::kLeft}),
        testing::Values(Watch::kNothing, Watch::kShuffled, Watch::kEverything)),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    Mistakes, Parallel,
    testing::Combine(testing::Values(Case{"races_within_a_block", Attempts::kLeft},
                                     Case{"uses_what_nothing_wrote", Attempts::kLeft}),
                     testing::Values(Watch::kEverything)),
    NameOf);

// The findings of one thread must be right, because otherwise equality would prove little.
TEST(ParallelKernels, MakeTheFindingsThatAreExpected) {
  const auto findings = [](const std::string& kernel) {
    return RunOn(3, kernel, Watch::kEverything).findings;
  };
  EXPECT_THAT(findings("scale"), IsEmpty());
  EXPECT_THAT(findings("neighbours"), Each("global_race"));
  EXPECT_FALSE(findings("neighbours").empty());
  EXPECT_THAT(findings("beyond"), ElementsAre("out_of_bounds_write"));
  EXPECT_THAT(findings("one_never_ends"), ElementsAre("budget_exceeded"));
  EXPECT_THAT(findings("races_within_a_block"), Contains("shared_race"));
  EXPECT_THAT(findings("uses_what_nothing_wrote"), ElementsAre("uninitialised_use"));
}

// An observer of the caller must see blocks one after the other.
TEST(ParallelKernels, StayOnOneThreadWhereSomebodyWatches) {
  Observer observer;
  std::vector<std::string> kept;
  Options options = OptionsFor(Watch::kNothing, 4, kept);
  options.observers.push_back(&observer);
  TestDevice device(options);
  device.Load(*ReadFile(WARPCHECK_EMULATOR_COMPILED "/parallel.ptx"));
  const DeviceAddress out = device.Upload(std::vector<int>(kElements));
  EXPECT_EQ(device.Launch("scale", {kBlocks, 1, 1}, {kThreads, 1, 1}, ArgumentsOf(out, out)),
            DeviceError::kSuccess);
  EXPECT_THAT(kept, IsEmpty());
}

}  // namespace
}  // namespace warpcheck::emulator

#include "run/journal.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "grading/temporary_folder.h"
#include "run/settings.h"

namespace warpcheck::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

LaunchRecord Launch(const std::string& kernel, std::uint64_t sectors) {
  LaunchRecord record;
  record.kernel = kernel;
  record.grid = {.x = 4};
  record.block = {.x = 128};
  for (std::size_t i = 0; i < kCounterCount; ++i) record.counters.Set(static_cast<Counter>(i), 0);
  record.counters.Set(Counter::kGlobalSectors, sectors);
  LineCounters line;
  line.where = {.file = "a.cu", .line = 3};
  line.counters = record.counters;
  record.lines.push_back(line);
  return record;
}

Finding Misread(int line) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBoundsRead;
  finding.where = {.file = "a.cu", .line = line};
  finding.message = "reads";
  return finding;
}

class JournalTest : public testing::Test {
 protected:
  // Reads what the only process recorded.
  ProcessResult Read() {
    const auto results = ReadJournals(folder_.path());
    if (!results || results->size() != 1) {
      ADD_FAILURE() << (results ? "not one journal" : results.error().Text());
      return {};
    }
    return results->front();
  }

  TemporaryFolder folder_;
};

// Makes writes fail for a while, as a full disk would, as far as a process can.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less = {.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_ = {};
};

TEST_F(JournalTest, LosesOnlyWhatDidNotFit) {
  {
    Journal journal(folder_.path());
    journal.Add(Launch("first", 1));
    testing::internal::CaptureStderr();
    {
      const auto file = std::filesystem::directory_iterator(folder_.path())->path();
      const FullDisk disk(std::filesystem::file_size(file) + 20);
      journal.Add(Launch("lost", 1));
    }
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                testing::HasSubstr("File too large; the report will not be complete"));
    journal.Add(Launch("second", 1));
    journal.Add(Launch("second", 1));
    journal.Add(Launch("lost", 1));
  }
  std::vector<std::string> kernels;
  for (const LaunchGroup& group : Read().launches) {
    kernels.push_back(fmt::format("{} {}", group.launches, group.sum.kernel));
  }
  EXPECT_THAT(kernels, ElementsAre("1 first", "2 second", "1 lost"));
}

TEST_F(JournalTest, IsEmptyWhereNothingHappened) {
  { const Journal journal(folder_.path()); }
  EXPECT_THAT(ReadJournals(folder_.path()).value(), IsEmpty());
}

TEST_F(JournalTest, AddsUpLaunches) {
  {
    Journal journal(folder_.path());
    for (int i = 0; i < 3; ++i) journal.Add(Launch("f(int)", 10));
    journal.Add(Launch("f(int)", 5));
    journal.Add(Launch("g()", 7));
  }
  const ProcessResult result = Read();
  EXPECT_EQ(result.process, ::getpid());
  ASSERT_THAT(result.launches, SizeIs(2));
  EXPECT_EQ(result.launches[0].launches, 4U);
  EXPECT_EQ(result.launches[0].sum.counters[Counter::kGlobalSectors], 35U);
  ASSERT_THAT(result.launches[0].sum.lines, SizeIs(1));
  EXPECT_EQ(result.launches[0].sum.lines[0].counters[Counter::kGlobalSectors], 35U);
  EXPECT_EQ(result.launches[1].launches, 1U);
}

TEST_F(JournalTest, StaysSmallForManyDifferentLaunches) {
  {
    Journal journal(folder_.path());
    journal.Add(Misread(9));
    for (std::uint64_t i = 0; i < 30'000; ++i) journal.Add(Launch("f()", i));
  }
  const auto path = folder_.path() / (std::to_string(::getpid()) + ".jsonl");
  EXPECT_LT(std::filesystem::file_size(path), 40U << 20);
  const ProcessResult result = Read();
  ASSERT_THAT(result.launches, SizeIs(1));
  EXPECT_EQ(result.launches[0].launches, 30'000U);
  EXPECT_EQ(result.launches[0].sum.counters[Counter::kGlobalSectors], 30'000ULL * 29'999 / 2);
  EXPECT_THAT(result.findings, ElementsAre(Misread(9)));
}

TEST_F(JournalTest, KnowsALaunchThatNeverEnded) {
  Journal journal(folder_.path());
  journal.Begin(Launch("f()", 0));
  journal.Add(Launch("f()", 1));
  EXPECT_FALSE(Read().unfinished);
  journal.Begin(Launch("g()", 0));
  ASSERT_TRUE(Read().unfinished);
  EXPECT_EQ(Read().unfinished->kernel, "g()");
}

TEST_F(JournalTest, ForgivesALineThatWasCutShort) {
  Journal journal(folder_.path());
  journal.NotShown(12);
  const auto path = folder_.path() / (std::to_string(::getpid()) + ".jsonl");
  std::ofstream(path, std::ios::app) << "{\"laun";
  EXPECT_EQ(Read().not_shown, 12U);
  std::ofstream(path, std::ios::app) << "\n{}\n";
  EXPECT_FALSE(ReadJournals(folder_.path()));
}

TEST_F(JournalTest, OfAForkedProcessIsItsOwn) {
  Journal journal(folder_.path());
  journal.Add(Launch("f()", 1));
  if (::fork() == 0) {
    journal.Add(Launch("g()", 2));
    ::_exit(0);
  }
  ::wait(nullptr);
  auto results = ReadJournals(folder_.path()).value();
  ASSERT_THAT(results, SizeIs(2));
  EXPECT_LT(results[0].process, results[1].process);
  // Process numbers start again at some point.
  if (results[0].process != ::getpid()) std::swap(results[0], results[1]);
  EXPECT_EQ(results[0].launches[0].sum.kernel, "f()");
  ASSERT_THAT(results[1].launches, SizeIs(1));
  EXPECT_EQ(results[1].launches[0].sum.kernel, "g()");
}

TEST_F(JournalTest, KeepsSamplesAndStops) {
  AccessSample sample;
  sample.kernel = "f()";
  sample.where = {.file = "a.cu", .line = 3};
  sample.offsets[31] = std::uint64_t{1} << 50;
  sample.mask = ~0U;
  sample.memory = AccessExample::Memory::kShared;
  AccessSample later = sample;
  later.requests = 8;
  FindingStop stop;
  stop.finding = Misread(4);
  stop.registers.push_back({.name = "%f1", .type = RegisterValues::Type::kFloat, .bytes = 4});
  Journal journal(folder_.path());
  journal.Add(sample);
  journal.Add(later);
  journal.Add(stop);
  EXPECT_THAT(Read().samples, ElementsAre(later));
  EXPECT_EQ(Read().stop, stop);
}

TEST_F(JournalTest, KeepsTheTimeline) {
  order::Timeline timeline;
  timeline.streams = {"stream 1"};
  timeline.operations = {
      {.step = 1, .what = "kernel f", .where = {"a.cu", 3, 0}, .waits_for = {"stream 2"}}};
  timeline.waits = {{.step = 1, .what = "cudaFree", .costs_overlap = true}};
  timeline.costs = {{.message = "it waits", .where = {}, .hint = "do not"}};
  Journal journal(folder_.path());
  journal.Add(timeline);
  EXPECT_EQ(Read().timeline, timeline);
}

TEST_F(JournalTest, KeepsTheCallsIfTheyAreSound) {
  HostCalls calls;
  calls.streams = {{.name = "the default stream", .is_default = true}};
  calls.calls = {{.kind = HostCall::Kind::kKernel, .kernel = "f"}};
  Journal journal(folder_.path());
  journal.Add(calls);
  EXPECT_EQ(Read().calls, calls);
}

TEST(Settings, SurviveTheirFile) {
  const TemporaryFolder folder;
  Settings settings;
  settings.checks = {"races"};
  settings.trace = TraceTarget{.kernel = "f", .line = 7};
  settings.order_seed = UINT64_MAX;
  settings.break_on_finding = true;
  settings.timeline = true;
  settings.calls = true;
  settings.threads = 5;
  ASSERT_TRUE(WriteSettings(folder.path(), settings));
  EXPECT_EQ(ReadSettings(folder.path()).value(), settings);
  ASSERT_TRUE(WriteFile(folder.path() / "settings.json", "{}"));
  EXPECT_FALSE(ReadSettings(folder.path()));
}

TEST(Checkers, AreNamed) {
  EXPECT_THAT(CheckersNamed("none").value(), IsEmpty());
  EXPECT_THAT(CheckersNamed("all").value(), testing::Contains("races"));
  EXPECT_THAT(CheckersNamed("api,races,api").value(), ElementsAre("api", "races"));
  EXPECT_EQ(CheckersNamed("api,race").error().message, "there is no checker \"race\"");
  EXPECT_FALSE(CheckersNamed(""));
}

}  // namespace
}  // namespace warpcheck::run

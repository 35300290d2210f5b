// Tests the local executor with real processes and a stub that grades.
#include "batch/work/local_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <map>
#include <set>
#include <sstream>

#include "base/files.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kRubric[] = R"(
title = "Stub"
[[criterion]]
name = "Right"
points = 10
tests = "A.*"
)";

class LocalExecutorTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("STUB_RUBRIC", folder_.Write("rubric.toml", kRubric).c_str(), 1);
    ::setenv("STUB_NOTES", folder_.path().c_str(), 1);
    ::unsetenv("STUB_BROKEN");
    settings_.worker = WARPCHECK_STUB_WORKER;
    settings_.scratch = folder_.path();
    settings_.available_memory = [this] { return memory_; };
  }

  Job JobOf(const std::string& id, const std::string& text) {
    Job job;
    job.id = job.shown = id;
    job.submission = folder_.Write(id + ".cu", text);
    return job;
  }

  static std::vector<Delivery> WaitLong(Executor& executor) {
    return executor.Wait(std::chrono::minutes(2));
  }

  // Begins each job as soon as there is room, and waits for all.
  std::vector<Delivery> RunAll(Executor& executor, std::vector<Job> jobs) {
    std::vector<Delivery> all;
    while (all.size() < jobs.size()) {
      while (begun_ < jobs.size() && executor.Room() > 0) executor.Begin(jobs[begun_++]);
      for (Delivery& delivery : WaitLong(executor)) all.push_back(std::move(delivery));
    }
    return all;
  }

  TemporaryFolder folder_;
  LocalExecutorSettings settings_;
  std::optional<std::uint64_t> memory_ = std::uint64_t{64} << 30;
  std::size_t begun_ = 0;
};

TEST_F(LocalExecutorTest, GradesSeveralAtOnce) {
  settings_.jobs = 3;
  const auto executor = MakeLocalExecutor(settings_);
  std::vector<Job> jobs;
  for (int i = 0; i < 20; ++i) jobs.push_back(JobOf("s" + std::to_string(i), std::to_string(i)));
  const auto all = RunAll(*executor, jobs);
  std::set<std::string> ids;
  for (const Delivery& delivery : all) {
    EXPECT_TRUE(std::holds_alternative<Grade>(delivery.what)) << delivery.id;
    ids.insert(delivery.id);
  }
  EXPECT_EQ(ids.size(), 20U);
}

TEST_F(LocalExecutorTest, TellsHowAGraderDiedAndGoesOn) {
  const auto executor = MakeLocalExecutor(settings_);
  executor->Begin(JobOf("a", "die"));
  auto deliveries = WaitLong(*executor);
  ASSERT_EQ(deliveries.size(), 1U);
  const Died* died = std::get_if<Died>(&deliveries[0].what);
  ASSERT_NE(died, nullptr);
  EXPECT_EQ(died->how, "the grader was killed by signal 11 (segmentation fault)");
  executor->Begin(JobOf("b", "fine"));
  deliveries = WaitLong(*executor);
  ASSERT_EQ(deliveries.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Grade>(deliveries[0].what));
}

TEST_F(LocalExecutorTest, TellsWhatWasNoDoingOfTheSubmission) {
  const auto executor = MakeLocalExecutor(settings_);
  for (const auto& [text, how] : {std::pair{"killed", "the grader was killed by signal 9 (killed)"},
                                  std::pair{"held up", "the machine was too busy"}}) {
    executor->Begin(JobOf("a", text));
    const auto deliveries = WaitLong(*executor);
    ASSERT_EQ(deliveries.size(), 1U);
    const HeldUp* held_up = std::get_if<HeldUp>(&deliveries[0].what);
    ASSERT_NE(held_up, nullptr) << text;
    EXPECT_EQ(held_up->how, how);
  }
  executor->Begin(JobOf("b", "fine"));
  EXPECT_TRUE(std::holds_alternative<Grade>(WaitLong(*executor).at(0).what));
}

TEST_F(LocalExecutorTest, EndsAGraderThatDoesNotAnswer) {
  settings_.job_limit = std::chrono::seconds(0);
  const auto executor = MakeLocalExecutor(settings_);
  executor->Begin(JobOf("a", "hang"));
  const auto deliveries = WaitLong(*executor);
  ASSERT_EQ(deliveries.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<HeldUp>(deliveries[0].what));
  EXPECT_THAT(std::get<HeldUp>(deliveries[0].what).how, HasSubstr("did not answer within"));
}

TEST_F(LocalExecutorTest, PassesAMachineFaultOn) {
  const auto executor = MakeLocalExecutor(settings_);
  executor->Begin(JobOf("a", "fault"));
  const auto deliveries = WaitLong(*executor);
  ASSERT_EQ(deliveries.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<MachineFault>(deliveries[0].what));
  EXPECT_EQ(std::get<MachineFault>(deliveries[0].what).error.Text(),
            "error: the stub's disk is full\n  empty it");
}

TEST_F(LocalExecutorTest, BlamesTheMachineForAWorkerThatCannotBegin) {
  ::setenv("STUB_BROKEN", "1", 1);
  const auto broken = MakeLocalExecutor(settings_);
  broken->Begin(JobOf("a", "fine"));
  auto deliveries = WaitLong(*broken);
  ASSERT_EQ(deliveries.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<MachineFault>(deliveries[0].what));
  settings_.worker = "/bin/false";
  const auto wrong = MakeLocalExecutor(settings_);
  wrong->Begin(JobOf("a", "fine"));
  deliveries = WaitLong(*wrong);
  ASSERT_EQ(deliveries.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<MachineFault>(deliveries[0].what));
  settings_.worker = folder_.path() / "missing";
  const auto missing = MakeLocalExecutor(settings_);
  missing->Begin(JobOf("a", "fine"));
  deliveries = WaitLong(*missing);
  ASSERT_EQ(deliveries.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<MachineFault>(deliveries[0].what));
}

TEST_F(LocalExecutorTest, BeginsNoMoreThanMemoryHasRoomFor) {
  settings_.jobs = 8;
  memory_ = settings_.memory.reserve + 2 * settings_.memory.job;
  const auto executor = MakeLocalExecutor(settings_);
  std::size_t begun = 0;
  for (; begun < 8 && executor->Room() > 0; ++begun) {
    executor->Begin(JobOf("s" + std::to_string(begun), "hang"));
  }
  EXPECT_EQ(begun, 2U);
  executor->Stop();
  memory_ = 0;
  EXPECT_EQ(executor->Room(), 1U) << "one always runs";
}

TEST_F(LocalExecutorTest, PutsOffTheYoungestWhereMemoryRunsLow) {
  settings_.jobs = 2;
  const auto executor = MakeLocalExecutor(settings_);
  executor->Begin(JobOf("old", "hang"));
  executor->Begin(JobOf("young", "hang"));
  EXPECT_THAT(executor->Wait(std::chrono::milliseconds(1)), IsEmpty());
  memory_ = settings_.memory.reserve - 1;
  const auto deliveries = WaitLong(*executor);
  ASSERT_EQ(deliveries.size(), 1U);
  EXPECT_EQ(deliveries[0].id, "young");
  EXPECT_TRUE(std::holds_alternative<Preempted>(deliveries[0].what));
  EXPECT_THAT(executor->Wait(std::chrono::milliseconds(1)), IsEmpty()) << "the last one stays";
}

TEST_F(LocalExecutorTest, GivesEachGpuToOneJobAtATime) {
  settings_.jobs = 6;
  settings_.gpus = {"3", "GPU-5"};
  const auto executor = MakeLocalExecutor(settings_);
  std::vector<Job> jobs;
  for (int i = 0; i < 12; ++i) jobs.push_back(JobOf("s" + std::to_string(i), "hungry"));
  RunAll(*executor, jobs);
  std::istringstream notes(*ReadFile(folder_.path() / "notes"));
  std::map<std::string, int> running;
  int total = 0;
  for (std::string what, gpu; notes >> what >> gpu;) {
    running[gpu] += what == "gpu" ? 1 : -1;
    total += what == "gpu" ? 1 : 0;
    EXPECT_LE(running[gpu], 1) << gpu;
    EXPECT_TRUE(gpu == "3" || gpu == "GPU-5") << gpu;
  }
  EXPECT_EQ(total, 12);
  EXPECT_EQ(running.size(), 2U);
}

}  // namespace
}  // namespace warpcheck::batch

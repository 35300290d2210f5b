// Tests a task of a Slurm array; the test plays its graders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "batch/batch_rig.h"
#include "batch/slurm/task.h"
#include "batch/slurm_rig.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SlurmTaskTest : public testing::Test {
 protected:
  SlurmTaskTest() {
    tools_.grace = std::chrono::milliseconds(0);
    tools_.executor = [this](const BatchIdentity&) -> Result<std::unique_ptr<Executor>> {
      auto executor = std::make_unique<FakeExecutor>(
          [this](const Job& job) {
            begun_.push_back(job.id);
            return act_(job);
          },
          1);
      return executor;
    };
  }

  void WriteJobs(const std::vector<std::string>& ids) {
    Chunk chunk;
    chunk.identity = TestTerms();
    for (const std::string& id : ids) {
      Job job;
      job.id = job.shown = job.digest = id;
      job.submission = folder_.Write("class/" + id + ".cu", "right");
      chunk.jobs.push_back(job);
    }
    ASSERT_TRUE(WriteChunk(ChunkPath(folder_.path(), 0), chunk));
  }

  Result<SlurmTaskEnd> Run() { return RunSlurmTask(folder_.path(), 0, tools_); }

  // Returns the events as texts such as "began a", "grade a", "died b: how", "fault: text" and
  // "end".
  std::vector<std::string> Messages() {
    std::vector<std::string> lines;
    const auto all = EventReader(EventFolder(folder_.path(), 0)).Read();
    if (!all) return {all.error().Text()};
    for (const TaskEvent& one : *all) {
      const std::map<TaskEvent::Kind, std::string> words = {
          {TaskEvent::Kind::kBegan, "began " + one.digest},
          {TaskEvent::Kind::kGrade, "grade " + one.digest},
          {TaskEvent::Kind::kDied, "died " + one.digest + ": " + one.text},
          {TaskEvent::Kind::kFault, "fault: " + one.fault.message},
          {TaskEvent::Kind::kEnd, "end"}};
      lines.push_back(words.at(one.what));
    }
    return lines;
  }

  TemporaryFolder folder_;
  FakeExecutor::Act act_ = TestGrade;
  std::vector<std::string> begun_;
  SlurmTaskTools tools_;
};

TEST_F(SlurmTaskTest, GradesOneAfterTheOther) {
  WriteJobs({"a", "b"});
  EXPECT_EQ(*Run(), SlurmTaskEnd::kDone);
  EXPECT_THAT(Messages(), ElementsAre("began a", "grade a", "began b", "grade b", "end"));
}

TEST_F(SlurmTaskTest, GoesOnAfterAGraderDied) {
  WriteJobs({"a", "b"});
  act_ = [](const Job& job) -> decltype(Delivery::what) {
    if (job.id == "a") return Died{"of hunger"};
    return TestGrade(job);
  };
  EXPECT_EQ(*Run(), SlurmTaskEnd::kDone);
  EXPECT_THAT(Messages(), ElementsAre("began a", "died a: of hunger", "began b", "grade b", "end"));
}

TEST_F(SlurmTaskTest, GoesOnWhereAnEarlierRunEnded) {
  WriteJobs({"a", "b", "c"});
  tools_.stopped = [this] { return begun_.size() == 2; };
  act_ = [](const Job& job) -> decltype(Delivery::what) {
    if (job.id == "b") return Preempted{};
    return TestGrade(job);
  };
  EXPECT_EQ(*Run(), SlurmTaskEnd::kStopped);
  EXPECT_THAT(Messages(), ElementsAre("began a", "grade a", "began b"));
  tools_.stopped = [] { return false; };
  act_ = TestGrade;
  begun_.clear();
  EXPECT_EQ(*Run(), SlurmTaskEnd::kDone);
  EXPECT_THAT(begun_, ElementsAre("b", "c"));
  EXPECT_TRUE(fs::exists(EventFolder(folder_.path(), 0) / "events-1")) << "a file for each run";
  EXPECT_THAT(Messages(), ElementsAre("began a", "grade a", "began b", "began b", "grade b",
                                      "began c", "grade c", "end"));
}

TEST_F(SlurmTaskTest, TakesNoDeathForTheSubmissionsThatSlurmCaused) {
  WriteJobs({"a"});
  bool killed = false;
  tools_.stopped = [&] { return killed; };
  act_ = [&](const Job&) {
    killed = true;
    return Died{"the grader was killed by signal 15 (terminated)"};
  };
  EXPECT_EQ(*Run(), SlurmTaskEnd::kStopped);
  EXPECT_THAT(Messages(), ElementsAre("began a"));
}

TEST_F(SlurmTaskTest, GivesUpWhatEndedWithItsTaskThreeTimes) {
  WriteJobs({"a", "b"});
  for (int run = 0; run < 3; ++run) {
    auto events = CreateEventFile(EventFolder(folder_.path(), 0));
    ASSERT_TRUE(events);
    Job job;
    job.digest = "a";
    ASSERT_TRUE(Append(*events, BeganEvent(job)));
  }
  EXPECT_EQ(*Run(), SlurmTaskEnd::kDone);
  EXPECT_THAT(begun_, ElementsAre("b"));
  EXPECT_THAT(Messages(), ElementsAre("began a", "began a", "began a",
                                      "died a: Slurm ended its task 3 times while it was graded",
                                      "began b", "grade b", "end"));
}

TEST_F(SlurmTaskTest, TellsWhatIsWrongWithItsNode) {
  WriteJobs({"a", "b"});
  act_ = [](const Job&) { return MachineFault{{.message = "the disk is full"}}; };
  EXPECT_EQ(*Run(), SlurmTaskEnd::kFault);
  EXPECT_THAT(Messages(), ElementsAre("began a", "fault: the disk is full"));
  tools_.executor = [](const BatchIdentity&) -> Result<std::unique_ptr<Executor>> {
    return Fail("nowhere to write");
  };
  EXPECT_EQ(*Run(), SlurmTaskEnd::kFault);
}

TEST_F(SlurmTaskTest, FailsWithoutAChunkThatCanBeRead) {
  auto end = Run();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().Text(), HasSubstr("chunk-0.json"));
  ASSERT_TRUE(WriteFile(ChunkPath(folder_.path(), 0), "{\"identity\": 3}"));
  end = Run();
  ASSERT_FALSE(end);
  EXPECT_THAT(end.error().Text(), HasSubstr("cannot read "));
}

TEST_F(SlurmTaskTest, ReadsMessagesAsTheyAreWritten) {
  Job job;
  job.digest = "a";
  EventReader reader(EventFolder(folder_.path(), 0));
  EXPECT_THAT(*reader.Read(), IsEmpty());
  auto events = CreateEventFile(EventFolder(folder_.path(), 0));
  ASSERT_TRUE(events);
  EXPECT_THAT(*reader.Read(), IsEmpty());
  ASSERT_TRUE(Append(*events, BeganEvent(job)));
  EXPECT_EQ(reader.Read()->size(), 1U);
  EXPECT_THAT(*reader.Read(), IsEmpty());
  // An incomplete line is not read yet.
  const fs::path path = EventFolder(folder_.path(), 0) / "events-0";
  const std::string whole = *ReadFile(path);
  ASSERT_TRUE(Append(*events, DiedEvent(job, "of hunger")));
  const std::string longer = *ReadFile(path);
  ASSERT_TRUE(WriteFile(path, longer.substr(0, whole.size() + 30)));
  EXPECT_THAT(*reader.Read(), IsEmpty());
  ASSERT_TRUE(WriteFile(path, longer));
  EXPECT_EQ(reader.Read()->size(), 1U);
}

}  // namespace
}  // namespace warpcheck::batch

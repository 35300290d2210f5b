// Tests the Slurm executor; the test plays Slurm and the tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "batch/batch_rig.h"
#include "batch/intake/submission_files.h"
#include "batch/slurm/executor.h"
#include "batch/slurm_rig.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = TaskEvent::Kind;

class SlurmExecutorTest : public testing::Test {
 protected:
  std::unique_ptr<Executor> Make() {
    SlurmExecutorSettings settings;
    settings.slurm = std::make_unique<FakeSlurm>(cluster_);
    settings.folder = folder_.path() / "slurm";
    settings.program = "/opt/it's/warpcheck";
    settings.identity = identity_;
    settings.at_once = 3;
    settings.chunk = chunk_;
    settings.notice = [this](const std::string& text) { notices_.push_back(text); };
    settings.event_pace = settings.queue_pace = std::chrono::milliseconds(0);
    settings.event_delay = event_delay_;
    settings.outage = outage_;
    return MakeSlurmExecutor(std::move(settings));
  }

  Job JobOf(const std::string& id) {
    Job job;
    job.id = job.shown = id;
    job.submission = folder_.Write("class/" + id + ".cu", "right " + id);
    job.digest = DigestOf(*ReadSubmission(job.submission, "transpose"));
    return job;
  }
  void Begin(Executor& executor, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) executor.Begin(JobOf(id));
  }

  // Returns a text such as "a: grade", "b: died: how" or "fault: text" for each delivery of this
  // many looks, sorted.
  static std::vector<std::string> WaitFor(Executor& executor, int looks = 3) {
    std::vector<std::string> told;
    for (int i = 0; i < looks; ++i) {
      for (const Delivery& delivery : executor.Wait(std::chrono::milliseconds(0))) {
        if (std::holds_alternative<Grade>(delivery.what)) told.push_back(delivery.id + ": grade");
        if (std::holds_alternative<Preempted>(delivery.what)) {
          told.push_back(delivery.id + ": returned");
        }
        if (const auto* died = std::get_if<Died>(&delivery.what)) {
          told.push_back(delivery.id + ": died: " + died->how);
        }
        if (const auto* fault = std::get_if<MachineFault>(&delivery.what)) {
          told.push_back("fault: " + fault->error.Text());
        }
      }
    }
    std::ranges::sort(told);
    return told;
  }

  TemporaryFolder folder_;
  FakeCluster cluster_;
  BatchIdentity identity_ = TestTerms();
  std::size_t chunk_ = 2;
  std::chrono::seconds event_delay_{0};
  std::chrono::seconds outage_{3600};
  std::vector<std::string> notices_;
};

TEST_F(SlurmExecutorTest, SubmitsAnArrayOfChunks) {
  const auto executor = Make();
  EXPECT_GT(executor->Room(), 10'000U);
  Begin(*executor, {"a", "b", "c"});
  EXPECT_THAT(cluster_.submitted, IsEmpty()) << "all that there is to grade goes into one array";
  EXPECT_THAT(WaitFor(*executor), IsEmpty());
  ASSERT_THAT(cluster_.submitted, SizeIs(1));
  const SlurmArray& array = cluster_.submitted[0];
  EXPECT_EQ(array.tasks, 2U);
  EXPECT_EQ(array.at_once, 3U);
  EXPECT_FALSE(array.gpu);
  EXPECT_EQ(*ReadFile(array.script), "#!/bin/sh\nexec '/opt/it'\\''s/warpcheck' grade-chunk '" +
                                         array.folder.string() + "' \"$SLURM_ARRAY_TASK_ID\"\n");
  const std::vector<Job> jobs = cluster_.JobsOf(0, 0);
  ASSERT_THAT(jobs, SizeIs(2));
  EXPECT_EQ(*ReadFile(jobs[0].submission), "right a");
  EXPECT_TRUE(jobs[0].submission.string().starts_with(array.folder.string())) << "a copy";
}

TEST_F(SlurmExecutorTest, AsksForAGpuWhereOneGrades) {
  identity_.plan.device = "gpu";
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  EXPECT_TRUE(cluster_.submitted.at(0).gpu);
}

TEST_F(SlurmExecutorTest, DeliversWhatTasksTell) {
  const auto executor = Make();
  Begin(*executor, {"a", "b", "c"});
  WaitFor(*executor);
  const std::vector<Job> first = cluster_.JobsOf(0, 0);
  cluster_.SetState(0, 0, "RUNNING");
  cluster_.Write(0, 0, {BeganEvent(first[0]), GradeEvent(first[0]), BeganEvent(first[1])});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("a: grade"));
  EXPECT_THAT(WaitFor(*executor), IsEmpty()) << "once";
  // The task begins again, and finds the events of its earlier run.
  cluster_.Write(0, 0, {DiedEvent(first[1], "of hunger"), TaskEvent{}});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("b: died: of hunger"));
}

TEST_F(SlurmExecutorTest, BlamesWhatWasGradedWhenATaskFailed) {
  for (const std::string state : {"FAILED", "OUT_OF_MEMORY", "TIMEOUT"}) {
    cluster_ = {};
    const auto executor = Make();
    Begin(*executor, {"a", "b"});
    WaitFor(*executor);
    cluster_.SetState(0, 0, state);
    cluster_.Write(0, 0, {BeganEvent(cluster_.JobsOf(0, 0)[0])});
    EXPECT_THAT(WaitFor(*executor),
                ElementsAre("a: died: its task 1_0 on node1 was ended: " + state, "b: returned"));
    // From now on each submission has a task of its own.
    Begin(*executor, {"a", "b"});
    WaitFor(*executor);
    EXPECT_THAT(cluster_.JobsOf(1, 0), SizeIs(1));
    EXPECT_THAT(cluster_.JobsOf(1, 1), SizeIs(1));
  }
}

TEST_F(SlurmExecutorTest, BlamesNobodyForATaskThatSomebodyEnded) {
  for (const std::string state : {"CANCELLED", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL", ""}) {
    cluster_ = {};
    const auto executor = Make();
    Begin(*executor, {"a", "b"});
    WaitFor(*executor);
    cluster_.SetState(0, 0, state);
    cluster_.Write(0, 0, {BeganEvent(cluster_.JobsOf(0, 0)[0])});
    EXPECT_THAT(WaitFor(*executor), ElementsAre("a: returned", "b: returned")) << state;
    // At the second time, a person must look at it.
    Begin(*executor, {"a", "b"});
    WaitFor(*executor);
    cluster_.SetState(1, 0, state);
    const auto told = WaitFor(*executor);
    ASSERT_THAT(told, SizeIs(1)) << state;
    EXPECT_THAT(told[0], HasSubstr("task 2_0 on node1 was ended (" +
                                   (state.empty() ? "no longer known" : state) +
                                   "); this has happened before"));
  }
}

TEST_F(SlurmExecutorTest, BelievesNoStateThatPasses) {
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  cluster_.SetState(0, 0, "NODE_FAIL");  // Slurm starts the task again
  EXPECT_THAT(WaitFor(*executor, 1), IsEmpty());
  cluster_.SetState(0, 0, "PENDING");
  EXPECT_THAT(WaitFor(*executor), IsEmpty());
}

TEST_F(SlurmExecutorTest, UnderstandsALineForAllTasksThatNeverBegan) {
  const auto executor = Make();
  Begin(*executor, {"a", "b", "c", "d"});
  WaitFor(*executor);
  cluster_.SetState(0, 0, "RUNNING");
  QueueLine& rest = cluster_.Line(cluster_.submitted[0].name, 1);
  rest.state = "CANCELLED";
  rest.index.reset();
  EXPECT_THAT(WaitFor(*executor), ElementsAre("c: returned", "d: returned"));
}

TEST_F(SlurmExecutorTest, WaitsForNewsOfATaskThatIsDone) {
  event_delay_ = std::chrono::hours(1);
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  cluster_.SetState(0, 0, "COMPLETED");
  EXPECT_THAT(WaitFor(*executor, 10), IsEmpty());
  const Job job = cluster_.JobsOf(0, 0)[0];
  cluster_.Write(0, 0, {BeganEvent(job), GradeEvent(job), TaskEvent{}});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("a: grade"));
}

TEST_F(SlurmExecutorTest, StopsForANodeThatCannotGrade) {
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  cluster_.SetState(0, 0, "RUNNING");
  cluster_.Write(0, 0, {FaultEvent("nvcc is not found")});
  EXPECT_THAT(WaitFor(*executor),
              ElementsAre("fault: error: task 1_0 on node1: nvcc is not found"));
}

TEST_F(SlurmExecutorTest, PassesOnTheLogTailOfATaskThatFailsBetweenSubmissions) {
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  cluster_.SetState(0, 0, "FAILED");
  auto told = WaitFor(*executor);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("it has printed nothing: do all nodes see "));
  executor->Stop();

  const auto again = Make();
  Begin(*again, {"b"});
  WaitFor(*again);
  cluster_.SetState(1, 0, "FAILED");
  ASSERT_TRUE(WriteFile(LogPath(cluster_.submitted[1].folder, 0), "exec: warpcheck: not found\n"));
  EXPECT_THAT(WaitFor(*again),
              ElementsAre("fault: error: task 2_0 on node1 was ended (FAILED) between submissions: "
                          "exec: warpcheck: not found"));
}

TEST_F(SlurmExecutorTest, TellsWhatTheClusterRefuses) {
  cluster_.down = Error{.message = "sbatch exited with status 1: Invalid partition name specified"};
  const auto executor = Make();
  Begin(*executor, {"a"});
  EXPECT_THAT(WaitFor(*executor)[0], HasSubstr("Invalid partition name specified"));
}

TEST_F(SlurmExecutorTest, BearsAQueueThatGivesNoAnswerForAWhile) {
  const auto executor = Make();
  Begin(*executor, {"a", "b"});
  WaitFor(*executor);
  cluster_.SetState(0, 0, "RUNNING");
  WaitFor(*executor);
  cluster_.down = Error{.message = "squeue exited with status 1: Unable to contact controller"};
  const std::vector<Job> jobs = cluster_.JobsOf(0, 0);
  cluster_.Write(0, 0, {BeganEvent(jobs[0]), GradeEvent(jobs[0])});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("a: grade")) << "events do not come by the queue";
  EXPECT_THAT(notices_, ElementsAre(HasSubstr("Unable to contact controller"))) << "told once";
  cluster_.down.reset();
  cluster_.Write(0, 0, {GradeEvent(jobs[1]), TaskEvent{}});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("b: grade"));
}

TEST_F(SlurmExecutorTest, GivesUpAQueueThatStaysSilent) {
  outage_ = std::chrono::seconds(0);
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  cluster_.down = Error{.message = "Unable to contact controller"};
  EXPECT_THAT(WaitFor(*executor, 1), ElementsAre("fault: error: Unable to contact controller"));
}

TEST_F(SlurmExecutorTest, SaysWhyTasksWaitForSomebody) {
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  EXPECT_THAT(notices_, IsEmpty()) << "for their turn";
  cluster_.Line(cluster_.submitted[0].name, 0).reason = "JobHeldAdmin";
  WaitFor(*executor);
  EXPECT_THAT(notices_, ElementsAre("task 1_0 waits in Slurm's queue: JobHeldAdmin; `scontrol show "
                                    "job 1` says more"));
}

TEST_F(SlurmExecutorTest, CancelsWhatStillRuns) {
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  executor->Stop();
  EXPECT_THAT(cluster_.cancelled, ElementsAre(cluster_.submitted[0].name));
}

TEST_F(SlurmExecutorTest, CancelsNothingThatIsDone) {
  const auto executor = Make();
  Begin(*executor, {"a"});
  WaitFor(*executor);
  const Job job = cluster_.JobsOf(0, 0)[0];
  cluster_.SetState(0, 0, "RUNNING");
  cluster_.Write(0, 0, {GradeEvent(job), TaskEvent{}});
  WaitFor(*executor);
  executor->Stop();
  EXPECT_THAT(cluster_.cancelled, IsEmpty());
}

TEST_F(SlurmExecutorTest, GoesOnWhereTasksOfAKilledBatchAre) {
  {
    const auto killed = Make();
    Begin(*killed, {"a", "b", "c", "d", "e"});
    WaitFor(*killed);
  }
  // One task has graded both submissions, one is grading its first, and one was lost with its
  // node.
  const std::vector<Job> done = cluster_.JobsOf(0, 0);
  cluster_.Write(0, 0, {GradeEvent(done[0]), GradeEvent(done[1]), TaskEvent{}});
  cluster_.SetState(0, 0, "COMPLETED");
  cluster_.SetState(0, 1, "RUNNING");
  cluster_.SetState(0, 2, "NODE_FAIL");
  const auto executor = Make();
  Begin(*executor, {"a", "b", "c", "d", "e"});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("a: grade", "b: grade"));
  ASSERT_THAT(cluster_.submitted, SizeIs(2)) << "for what no task has or grades";
  ASSERT_THAT(cluster_.JobsOf(1, 0), SizeIs(1));
  EXPECT_EQ(cluster_.JobsOf(1, 0)[0].id, "e");
  EXPECT_THAT(cluster_.cancelled, IsEmpty());
  const std::vector<Job> running = cluster_.JobsOf(0, 1);
  cluster_.Write(0, 1, {GradeEvent(running[0]), GradeEvent(running[1]), TaskEvent{}});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("c: grade", "d: grade"));
}

TEST_F(SlurmExecutorTest, FindsTheGradesOfATaskThatEndsMeanwhile) {
  {
    const auto killed = Make();
    Begin(*killed, {"a"});
    WaitFor(*killed);
  }
  cluster_.SetState(0, 0, "RUNNING");
  cluster_.before_look = [this] {
    cluster_.Write(0, 0, {GradeEvent(cluster_.JobsOf(0, 0)[0]), TaskEvent{}});
    cluster_.SetState(0, 0, "COMPLETED");
  };
  const auto executor = Make();
  Begin(*executor, {"a"});
  EXPECT_THAT(WaitFor(*executor), ElementsAre("a: grade"));
  EXPECT_THAT(cluster_.submitted, SizeIs(1)) << "not once more";
}

TEST_F(SlurmExecutorTest, CountsNoDeathOfAnEarlierRunAgain) {
  {
    const auto killed = Make();
    Begin(*killed, {"a", "b"});
    WaitFor(*killed);
  }
  const std::vector<Job> jobs = cluster_.JobsOf(0, 0);
  cluster_.SetState(0, 0, "RUNNING");
  cluster_.Write(0, 0, {DiedEvent(jobs[0], "of hunger"), BeganEvent(jobs[1])});
  const auto executor = Make();
  Begin(*executor, {"a", "b"});
  EXPECT_THAT(WaitFor(*executor), IsEmpty());
  ASSERT_THAT(cluster_.submitted, SizeIs(2));
  EXPECT_EQ(cluster_.JobsOf(1, 0)[0].id, "a");
  cluster_.SetState(0, 0, "FAILED");
  EXPECT_THAT(WaitFor(*executor), ElementsAre("b: returned"));
}

TEST_F(SlurmExecutorTest, EndsEarlierTasksThatNobodyWaitsFor) {
  {
    const auto killed = Make();
    Begin(*killed, {"a", "b"});
    WaitFor(*killed);
  }
  const auto executor = Make();
  Begin(*executor, {"c"});
  WaitFor(*executor);
  EXPECT_THAT(cluster_.cancelled, ElementsAre(cluster_.submitted[0].name));
}

TEST_F(SlurmExecutorTest, TakesNoGradesByOtherTerms) {
  {
    const auto killed = Make();
    Begin(*killed, {"a"});
    WaitFor(*killed);
  }
  cluster_.Write(0, 0, {GradeEvent(cluster_.JobsOf(0, 0)[0]), TaskEvent{}});
  identity_.plan.seed += 1;
  const auto executor = Make();
  Begin(*executor, {"a"});
  EXPECT_THAT(WaitFor(*executor), IsEmpty());
  EXPECT_THAT(cluster_.submitted, SizeIs(2));
  EXPECT_THAT(cluster_.cancelled, ElementsAre(cluster_.submitted[0].name));
}

TEST_F(SlurmExecutorTest, GradesAgainWhatItCannotRead) {
  {
    const auto killed = Make();
    Begin(*killed, {"a"});
    WaitFor(*killed);
  }
  const Job job = cluster_.JobsOf(0, 0)[0];
  cluster_.Write(0, 0, {BeganEvent(job), GradeEvent(job), TaskEvent{}});
  const fs::path events = EventFolder(cluster_.submitted[0].folder, 0) / "events-0";
  std::string bytes = *ReadFile(events);
  bytes[3] = bytes[3] == '0' ? '1' : '0';
  ASSERT_TRUE(WriteFile(events, bytes));
  const auto executor = Make();
  Begin(*executor, {"a"});
  EXPECT_THAT(WaitFor(*executor), IsEmpty());
  EXPECT_THAT(notices_, ElementsAre(HasSubstr("an earlier task cannot be read and is ignored")));
  EXPECT_THAT(cluster_.submitted, SizeIs(2));
}

}  // namespace
}  // namespace warpcheck::batch

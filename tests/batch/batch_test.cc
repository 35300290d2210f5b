#include "batch/work/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/files.h"
#include "batch/batch_rig.h"

namespace warpcheck::batch {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Cause = BatchEnd::Cause;

class BatchTest : public testing::Test {
 protected:
  void SetUp() override {
    room_.HandIn("ann", "right");
    room_.HandIn("bob", "wrong");
    room_.HandIn("carl", "wrong too");
  }
  ClassRoom room_;
};

TEST_F(BatchTest, GradesEverybody) {
  FakeExecutor executor;
  const BatchEnd end = room_.Run(executor);
  EXPECT_EQ(end.cause, Cause::kDone);
  EXPECT_EQ(end.progress.done, 3U);
  EXPECT_THAT(executor.begun(), ElementsAre("ann", "bob", "carl"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nann,ann,100,100,100,passed,100,,,"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,0,100,0,failed,0,,,"));
  for (const char* const id : {"ann", "bob", "carl"}) {
    EXPECT_THAT(room_.Output(std::string("junit/") + id + ".xml"), HasSubstr("<testsuites"));
    EXPECT_THAT(room_.Output(std::string("json/") + id + ".json"), HasSubstr("\"score\""));
    EXPECT_THAT(room_.Output(std::string("feedback/") + id + ".txt"), HasSubstr("Score "));
    EXPECT_THAT(room_.Output(std::string("students/") + id + ".html"),
                AllOf(HasSubstr(std::string("<h1><bdi>") + id + "</bdi></h1>"),
                      Not(HasSubstr("index.html")), Not(HasSubstr("<a href=\".."))));
    EXPECT_THAT(room_.Output(std::string("class/") + id + ".html"),
                HasSubstr("<a href=\"../index.html\">"));
    EXPECT_THAT(room_.Output("index.html"),
                HasSubstr(std::string("<a href=\"class/") + id + ".html\">"));
  }
  EXPECT_THAT(room_.Output("index.html"), HasSubstr("mean 33.3, median 0.0 of 100 points"));
  EXPECT_THAT(room_.Output("class/bob.html"),
              AllOf(HasSubstr("<a rel=\"prev\" href=\"ann.html\">"),
                    HasSubstr("<a rel=\"next\" href=\"carl.html\">"), HasSubstr(">2 of 3<")));
}

TEST_F(BatchTest, GradesNobodyTwice) {
  FakeExecutor first;
  room_.Run(first);
  const std::string grades = room_.Output("grades.csv");
  FakeExecutor second;
  EXPECT_EQ(room_.Run(second).cause, Cause::kDone);
  EXPECT_THAT(second.begun(), IsEmpty());
  EXPECT_EQ(room_.Output("grades.csv"), grades);
}

TEST_F(BatchTest, MakesMissingAndOldOutputsAgain) {
  FakeExecutor first;
  room_.Run(first);
  const std::string feedback = room_.Output("feedback/bob.txt");
  const std::string junit = room_.Output("junit/bob.xml");
  std::filesystem::remove(room_.out() / "feedback/bob.txt");
  std::filesystem::remove(room_.out() / "grades.csv");
  ASSERT_TRUE(WriteFile(room_.out() / "junit/bob.xml", "old"));
  FakeExecutor second;
  room_.Run(second);
  EXPECT_EQ(room_.Output("feedback/bob.txt"), feedback);
  EXPECT_EQ(room_.Output("junit/bob.xml"), junit);
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("bob"));
}

TEST_F(BatchTest, GradesAChangedSubmissionAgain) {
  FakeExecutor first;
  room_.Run(first);
  room_.HandIn("bob", "right");
  FakeExecutor second;
  room_.Run(second);
  EXPECT_THAT(second.begun(), IsEmpty()) << "these files are ann's, and were graded";
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,100,"));
  room_.HandIn("bob", "something new");
  FakeExecutor third;
  room_.Run(third);
  EXPECT_THAT(third.begun(), ElementsAre("bob"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,0,"));
}

TEST_F(BatchTest, GradesTheSameFilesOnceAndSaysSo) {
  room_.HandIn("zoe", "wrong");
  FakeExecutor executor;
  const BatchEnd end = room_.Run(executor);
  EXPECT_EQ(end.progress.done, 4U);
  EXPECT_THAT(executor.begun(), ElementsAre("ann", "bob", "carl"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nzoe,zoe,0,100,0,failed,"));
  EXPECT_THAT(room_.Output("feedback/zoe.txt"), HasSubstr("Test: zoe"));
  EXPECT_THAT(room_.Output("feedback/zoe.txt"), Not(HasSubstr("bob")));
  EXPECT_THAT(room_.Output("excluded.txt"), HasSubstr("\n  bob zoe\n"));
  EXPECT_THAT(room_.Output("excluded.txt"), Not(HasSubstr("ann")));
}

TEST_F(BatchTest, GradesOnlyWhomItIsTold) {
  FakeExecutor executor;
  EXPECT_EQ(room_.Run(executor, "b*").cause, Cause::kDone);
  EXPECT_THAT(executor.begun(), ElementsAre("bob"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nann,ann,,100,,not_graded,,,,"));
}

TEST_F(BatchTest, TriesAgainWhereAGraderDiesOnce) {
  std::set<std::string> died;
  FakeExecutor executor([&](const Job& job) -> decltype(Delivery::what) {
    if (job.id == "bob" && died.insert(job.id).second) return Died{"the grader was killed"};
    return TestGrade(job);
  });
  EXPECT_EQ(room_.Run(executor).cause, Cause::kDone);
  EXPECT_THAT(executor.begun(), ElementsAre("ann", "bob", "carl", "bob"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,0,100,0,failed,"));
}

TEST_F(BatchTest, LeavesWhoKillsItsGraderTwiceToAPerson) {
  FakeExecutor executor([&](const Job& job) -> decltype(Delivery::what) {
    if (job.id == "bob") return Died{"the grader was killed by signal 11 (segmentation fault)"};
    return TestGrade(job);
  });
  EXPECT_EQ(room_.Run(executor).cause, Cause::kDone);
  EXPECT_THAT(executor.begun(), ElementsAre("ann", "bob", "carl", "bob"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,,100,,harness_fault,0,"));
  EXPECT_THAT(room_.Output("grades.csv"),
              HasSubstr("its grader ended 2 times without a grade; the last time the grader was "
                        "killed by signal 11 (segmentation fault)"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\ncarl,carl,0,"));
}

// The first death may come before the batch is interrupted.
TEST_F(BatchTest, RemembersDeaths) {
  bool stop = false;
  const auto deadly = [&](const Job& job) -> decltype(Delivery::what) {
    stop = true;
    return job.id == "bob" ? decltype(Delivery::what)(Died{"x"}) : TestGrade(job);
  };
  FakeExecutor first(deadly);
  EXPECT_EQ(room_.Run(first, "bob", [&] { return stop; }).cause, Cause::kStopped);
  FakeExecutor second(deadly);
  room_.Run(second, "bob");
  EXPECT_THAT(second.begun(), ElementsAre("bob"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,,100,,harness_fault,"));
}

// Submissions that were held up are graded once more at the end, one at a time.
TEST_F(BatchTest, TriesOnceMoreAloneWhoWasHeldUp) {
  std::set<std::string> held_up;
  FakeExecutor executor([&](const Job& job) -> decltype(Delivery::what) {
    if (job.id != "carl" && held_up.insert(job.id).second) return HeldUp{"too busy"};
    return TestGrade(job);
  });
  const BatchEnd end = room_.Run(executor);
  EXPECT_EQ(end.cause, Cause::kDone);
  EXPECT_TRUE(end.held_up.empty());
  EXPECT_THAT(executor.begun(), ElementsAre("ann", "bob", "carl", "ann", "bob"));
  EXPECT_THAT(executor.beside(), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nann,ann,100,"));
}

TEST_F(BatchTest, GivesNoVerdictOnWhoWasHeldUpAgain) {
  FakeExecutor executor([&](const Job& job) -> decltype(Delivery::what) {
    if (job.id == "bob") return HeldUp{"the machine was too busy"};
    return TestGrade(job);
  });
  const BatchEnd end = room_.Run(executor);
  EXPECT_EQ(end.cause, Cause::kDone);
  EXPECT_THAT(end.held_up, ElementsAre(std::pair("bob", "the machine was too busy")));
  EXPECT_EQ(end.progress.done, 2U);
  EXPECT_THAT(executor.begun(), ElementsAre("ann", "bob", "carl", "bob"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,,100,,not_graded,"));
  FakeExecutor second;
  EXPECT_TRUE(room_.Run(second).held_up.empty());
  EXPECT_THAT(second.begun(), ElementsAre("bob"));
}

TEST_F(BatchTest, KeepsGradesThatComeWithAMachineFault) {
  FakeExecutor executor([&](const Job& job) -> decltype(Delivery::what) {
    if (job.id == "ann") return MachineFault{{.message = "the disk is full"}};
    return TestGrade(job);
  });
  executor.DeliverAllAtOnce();
  EXPECT_EQ(room_.Run(executor).cause, Cause::kMachineFault);
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,0,100,0,failed,"));
}

TEST_F(BatchTest, StopsForAMachineFaultWithoutAVerdict) {
  FakeExecutor executor([&](const Job& job) -> decltype(Delivery::what) {
    if (job.id == "bob") return MachineFault{{.message = "the disk is full"}};
    return TestGrade(job);
  });
  const BatchEnd end = room_.Run(executor);
  EXPECT_EQ(end.cause, Cause::kMachineFault);
  EXPECT_EQ(end.fault.message, "the disk is full");
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nann,ann,100,"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,,100,,not_graded,,,,"));
  FakeExecutor second;
  room_.Run(second);
  EXPECT_THAT(second.begun(), ElementsAre("bob", "carl"));
}

TEST_F(BatchTest, StopsForAnOutputThatCannotBeWritten) {
  std::filesystem::create_directories(room_.out() / "junit/bob.xml/in the way");
  FakeExecutor executor;
  const BatchEnd end = room_.Run(executor);
  EXPECT_EQ(end.cause, Cause::kMachineFault);
  EXPECT_THAT(end.fault.message, HasSubstr("bob.xml"));
  std::filesystem::remove_all(room_.out() / "junit/bob.xml");
  FakeExecutor second;
  EXPECT_EQ(room_.Run(second).cause, Cause::kDone);
  EXPECT_THAT(second.begun(), ElementsAre("carl")) << "bob's grade was safe in the journal";
  EXPECT_THAT(room_.Output("junit/bob.xml"), HasSubstr("<testsuites"));
}

TEST_F(BatchTest, RefusesWhatIsNoSubmission) {
  Entry mona;
  mona.id = "mona";
  mona.name = "=Mona, \"the one\"";
  mona.submission = room_.submissions() / "gone.cu";
  room_.Enrol(mona);
  FakeExecutor executor;
  EXPECT_EQ(room_.Run(executor).cause, Cause::kDone);
  EXPECT_THAT(executor.begun(), Not(testing::Contains("mona")));
  EXPECT_THAT(room_.Output("grades.csv"),
              HasSubstr("\nmona,\"'=Mona, \"\"the one\"\"\",0,100,0,error,0,"));
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("there is no file"));
}

TEST_F(BatchTest, PutsBackWhatWasReturned) {
  std::set<std::string> returned;
  FakeExecutor executor([&](const Job& job) -> decltype(Delivery::what) {
    if (returned.insert(job.id).second) return Preempted{};
    return TestGrade(job);
  });
  EXPECT_EQ(room_.Run(executor).cause, Cause::kDone);
  EXPECT_EQ(executor.begun().size(), 6U);
  EXPECT_THAT(room_.Output("grades.csv"), HasSubstr("\nbob,bob,0,100,0,failed,"));
}

}  // namespace
}  // namespace warpcheck::batch

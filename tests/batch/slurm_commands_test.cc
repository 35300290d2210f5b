// Tests the commands that are sent to Slurm, and the handling of their answers. Scripts replace
// Slurm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/files.h"
#include "base/programs.h"
#include "batch/slurm/shell_words.h"
#include "batch/slurm/slurm.h"
#include "batch/slurm/task_state.h"
#include "grading/temporary_folder.h"

namespace warpcheck::batch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SlurmCommandsTest : public testing::Test {
 protected:
  SlurmCommandsTest() : path_(Environment("PATH")) { ::setenv("PATH", Bin().c_str(), 1); }
  ~SlurmCommandsTest() override { ::setenv("PATH", path_.c_str(), 1); }

  std::string Bin() const { return (folder_.path() / "bin").string(); }
  // Writes a script that records its arguments, one a line, and then runs `text`.
  void Play(const std::string& name, const std::string& text) {
    folder_.WriteScript(
        "bin/" + name, "printf '%s\\n' \"$@\" > " + (folder_.path() / name).string() + "\n" + text);
  }
  std::string Asked(const std::string& name) const {
    return ReadFile(folder_.path() / name).value_or("");
  }
  static SlurmArray Array() {
    SlurmArray array;
    array.name = "warpcheck-1";
    array.folder = "/home/100%/out";
    array.script = "/home/100%/out/task.sh";
    array.tasks = 4;
    return array;
  }

  TemporaryFolder folder_;
  std::string path_;
};

TEST_F(SlurmCommandsTest, SubmitsAnArray) {
  Play("sbatch", "echo 'a site says hello' >&2; echo '17;cluster'");
  EXPECT_EQ(*MakeSlurmCommands({"--partition=x"})->Submit(Array()), "17");
  EXPECT_EQ(Asked("sbatch"),
            "--parsable\n--job-name=warpcheck-1\n--array=0-3\n--requeue\n--open-mode=append\n"
            "--export=ALL\n--nodes=1\n--ntasks=1\n--cpus-per-task=1\n--mem=4608M\n"
            "--chdir=/home/100%/out\n--output=/home/100%%/out/log-%a\n--partition=x\n"
            "/home/100%/out/task.sh\n");
  SlurmArray array = Array();
  array.gpu = true;
  array.at_once = 2;
  ASSERT_TRUE(MakeSlurmCommands({})->Submit(array));
  EXPECT_THAT(Asked("sbatch"), HasSubstr("\n--array=0-3%2\n"));
  EXPECT_THAT(Asked("sbatch"), HasSubstr("\n--gres=gpu:1\n"));
}

TEST_F(SlurmCommandsTest, PassesSlurmsWordsOn) {
  Play("sbatch", "echo 'sbatch: error: Invalid partition name specified' >&2; exit 1");
  auto submitted = MakeSlurmCommands({})->Submit(Array());
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().Text(),
            "error: sbatch exited with status 1: sbatch: error: Invalid partition name specified\n"
            "  the cluster refuses this request: choose partition, account, memory or time "
            "with --slurm-options");
  Play("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
  auto looked = MakeSlurmCommands({})->Look({"warpcheck-1"});
  ASSERT_FALSE(looked);
  EXPECT_THAT(looked.error().hint, HasSubstr("scontrol ping"));
  Play("scancel", "echo 'scancel: error: Munge encode failed' >&2; exit 1");
  auto cancelled = MakeSlurmCommands({})->Cancel({"warpcheck-1"});
  ASSERT_FALSE(cancelled);
  EXPECT_THAT(cancelled.error().hint, HasSubstr("munged must run on this machine"));
}

TEST_F(SlurmCommandsTest, SaysWhatToInstall) {
  const auto submitted = MakeSlurmCommands({})->Submit(Array());
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().message, "sbatch is not found on PATH");
  EXPECT_THAT(submitted.error().hint, HasSubstr("slurm-client"));
}

TEST_F(SlurmCommandsTest, TakesNothingElseForANumber) {
  Play("sbatch", "echo 'Submitted'");
  const auto submitted = MakeSlurmCommands({})->Submit(Array());
  ASSERT_FALSE(submitted);
  EXPECT_EQ(submitted.error().message, "sbatch did not answer with the number of a job: Submitted");
}

TEST_F(SlurmCommandsTest, ReadsTheQueue) {
  ::setenv("SQUEUE_PARTITION", "elsewhere", 1);
  Play("squeue",
       "echo 'squeue: warning: of a plugin'\n"
       "echo \"a|1|0|RUNNING|node1|${SQUEUE_PARTITION:-None}\"\n"
       "echo 'a|1|N/A|CANCELLED||JobArrayTaskLimit'\n"
       "echo 'b|2|12|PENDING||(ReqNodeNotAvail, UnavailableNodes:n1|n2)'\n");
  const auto lines = MakeSlurmCommands({})->Look({"a", "b"});
  ASSERT_TRUE(lines) << lines.error().Text();
  ASSERT_THAT(*lines, SizeIs(3));
  EXPECT_EQ((*lines)[0].state, "RUNNING");
  EXPECT_EQ((*lines)[0].index, 0U);
  EXPECT_EQ((*lines)[0].node, "node1");
  EXPECT_EQ((*lines)[0].reason, "None") << "a person's filters must not hide tasks";
  EXPECT_EQ((*lines)[1].index, std::nullopt);
  EXPECT_EQ((*lines)[2].job, "2");
  EXPECT_EQ((*lines)[2].index, 12U);
  EXPECT_EQ((*lines)[2].reason, "(ReqNodeNotAvail, UnavailableNodes:n1|n2)");
  EXPECT_EQ(Asked("squeue"),
            "--noheader\n--array\n--states=all\n--name=a,b\n--format=%j|%F|%K|%T|%N|%r\n");
  Play("squeue", "echo 'a|1|0'");
  EXPECT_FALSE(MakeSlurmCommands({})->Look({"a"}));
}

TEST_F(SlurmCommandsTest, AsksForNothingWithoutArrays) {
  EXPECT_THAT(*MakeSlurmCommands({})->Look({}), IsEmpty());
  EXPECT_TRUE(MakeSlurmCommands({})->Cancel({}));
}

TEST(SlurmOptions, AreWordsToAShell) {
  EXPECT_THAT(*SplitOptions("  --a=1  -p 'x y' --c=\"d \\\" e\" f\\ g ''"),
              ElementsAre("--a=1", "-p", "x y", "--c=d \" e", "f g", ""));
  EXPECT_THAT(*SplitOptions(""), IsEmpty());
  EXPECT_EQ(SplitOptions("--a='b").error().message, "this has a quote that does not end: --a='b");
}

TEST(SlurmStates, SayWhetherATaskHasEnded) {
  for (const char* const state : {"PENDING", "CONFIGURING", "REQUEUED", "REQUEUE_HOLD"}) {
    EXPECT_EQ(PhaseOf(state), TaskPhase::kWaits) << state;
  }
  for (const char* const state : {"RUNNING", "COMPLETING", "SUSPENDED", "STAGE_OUT", "NEW_ONE"}) {
    EXPECT_EQ(PhaseOf(state), TaskPhase::kRuns) << state;
  }
  for (const char* const state : {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL",
                                  "OUT_OF_MEMORY", "PREEMPTED", "BOOT_FAIL", "DEADLINE"}) {
    EXPECT_EQ(PhaseOf(state), TaskPhase::kEnded) << state;
  }
  EXPECT_TRUE(MayBlameTask("OUT_OF_MEMORY"));
  EXPECT_FALSE(MayBlameTask("CANCELLED"));
  EXPECT_TRUE(WaitsForPerson("JobHeldUser"));
  EXPECT_FALSE(WaitsForPerson("Resources"));
}

}  // namespace
}  // namespace warpcheck::batch

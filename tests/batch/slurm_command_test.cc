// Tests `warpcheck batch --executor slurm` as a person uses it, with stubs for Slurm and for
// graders.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files.h"
#include "base/programs.h"
#include "batch/command_rig.h"

namespace warpcheck::batch {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SlurmCommandTest : public BatchProgramTest {
 protected:
  SlurmCommandTest() : path_(Environment("PATH")) {
    const fs::path bin = folder_.path() / "slurm/bin";
    fs::create_directories(bin);
    for (const char* const name : {"sbatch", "squeue", "scancel", "run-tasks"}) {
      fs::create_symlink(WARPCHECK_SOURCE_DIR "/tests/batch/programs/stub_slurm.sh", bin / name);
    }
    ::setenv("PATH", (bin.string() + ":" + path_).c_str(), 1);
    ::setenv("STUB_SLURM", (folder_.path() / "slurm").c_str(), 1);
  }
  ~SlurmCommandTest() override {
    for (const fs::path& job : Jobs()) {
      const auto session = ReadFile(job / "session");
      if (session) ::kill(-std::stoi(*session), SIGKILL);
    }
    ::setenv("PATH", path_.c_str(), 1);
  }

  pid_t Start(const std::string& out, const std::string& executor,
              const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"--seed", "5", "--executor", executor};
    words.insert(words.end(), more.begin(), more.end());
    return BatchProgramTest::Start(out, words);
  }
  int Run(const std::string& out, const std::string& executor,
          const std::vector<std::string>& more = {}) {
    return StatusOf(Start(out, executor, more));
  }

  std::string Log() const { return Output("log"); }
  std::vector<fs::path> Jobs() const {
    std::vector<fs::path> jobs;
    std::error_code error;
    for (const auto& job : fs::directory_iterator(folder_.path() / "slurm/jobs", error)) {
      jobs.push_back(job.path());
    }
    return jobs;
  }

  // Returns how many verdicts the journal has for each student.
  std::map<std::string, int> Verdicts(const std::string& out) const {
    std::map<std::string, int> verdicts;
    std::istringstream lines(Output(out + "/journal"));
    for (std::string line; std::getline(lines, line);) {
      if (line.find("\"event\":\"graded\"") == std::string::npos) continue;
      const auto record = nlohmann::json::parse(line.substr(17), nullptr, false);
      if (!record.is_discarded()) ++verdicts[record.at("id").get<std::string>()];
    }
    return verdicts;
  }
  void WaitForVerdicts(const std::string& out, std::size_t verdicts) const {
    while (Verdicts(out).size() < verdicts) ::usleep(2000);
  }
  void ExpectOneEach(const std::string& out, std::size_t students) const {
    const auto verdicts = Verdicts(out);
    EXPECT_EQ(verdicts.size(), students);
    for (const auto& [id, times] : verdicts) EXPECT_EQ(times, 1) << id;
  }

  std::string path_;
};

TEST_F(SlurmCommandTest, GivesTheGradesThatThisMachineGives) {
  HandInClass(12, "fine ");
  HandIn("twin", "fine 3");
  HandIn("deadly", "die");
  EXPECT_EQ(Run("here", "local"), 3) << Log();
  EXPECT_EQ(Run("there", "slurm", {"--slurm-options", "--partition='of nodes'", "--jobs", "4"}), 3)
      << Log();
  // The report about a grader's death has the same words.
  EXPECT_EQ(Output("there/grades.csv"), Output("here/grades.csv"));
  ExpectOneEach("there", 14);
  const std::string asked = *ReadFile(Jobs().at(0) / "arguments");
  EXPECT_THAT(asked, HasSubstr("\n--partition=of nodes\n"));
  EXPECT_THAT(asked, HasSubstr("%4\n"));
  EXPECT_FALSE(fs::exists(folder_.path() / "there/slurm"));
}

TEST_F(SlurmCommandTest, GoesOnWhereItsTasksAreWhenKilled) {
  HandInClass(12, "slow ");
  EXPECT_EQ(Run("here", "local"), 0) << Log();
  for (std::size_t at = 1; at < 12; at += 4) {
    const pid_t batch = Start("there", "slurm", {"--resume"});
    WaitForVerdicts("there", at);
    ::kill(batch, SIGKILL);
    StatusOf(batch);
  }
  EXPECT_EQ(Run("there", "slurm", {"--resume"}), 0) << Log();
  EXPECT_EQ(Output("there/grades.csv"), Output("here/grades.csv"));
  ExpectOneEach("there", 12);
  EXPECT_EQ(Jobs().size(), 1U) << "submitted once, and never again";
}

TEST_F(SlurmCommandTest, GoesOnHereWithWhatBeganThere) {
  HandInClass(7, "fine ");
  HandIn("z", "hang once");  // the last one keeps the batch running
  const pid_t batch = Start("there", "slurm");
  WaitForVerdicts("there", 7);
  ::kill(batch, SIGINT);
  EXPECT_EQ(StatusOf(batch), 128 + SIGINT) << Log();
  ASSERT_EQ(Jobs().size(), 1U);
  EXPECT_EQ(*ReadFile(Jobs()[0] / "7"), "CANCELLED\n");
  EXPECT_EQ(Run("there", "local", {"--resume"}), 0) << Log();
  ExpectOneEach("there", 8);
  EXPECT_EQ(Run("here", "local"), 0) << Log();
  EXPECT_EQ(Output("there/grades.csv"), Output("here/grades.csv"));
}

TEST_F(SlurmCommandTest, BeginsAgainWhatSomebodyCancels) {
  HandInClass(7, "fine ");
  HandIn("s3", "hang once");  // the one in the middle makes the others wait
  const pid_t batch = Start("there", "slurm");
  WaitForVerdicts("there", 3);
  const std::string cancel = "scancel --name=" + Jobs().at(0).filename().string();
  EXPECT_EQ(::system(cancel.c_str()), 0);
  EXPECT_EQ(StatusOf(batch), 0) << Log();
  EXPECT_EQ(Jobs().size(), 2U);
  ExpectOneEach("there", 7);
  EXPECT_EQ(Run("here", "local"), 0) << Log();
  EXPECT_EQ(Output("there/grades.csv"), Output("here/grades.csv"));
}

TEST_F(SlurmCommandTest, StopsForAFaultOfTheCluster) {
  HandInClass(3, "fine ");
  folder_.Write("slurm/down",
                "sbatch: error: Batch job submission failed: Unable to contact slurm "
                "controller (connect failure)\n");
  EXPECT_EQ(Run("there", "slurm"), 3);
  EXPECT_THAT(Log(), HasSubstr("because the cluster cannot grade: sbatch exited with status 1: "));
  EXPECT_THAT(Log(), HasSubstr("`scontrol ping` says more"));
  EXPECT_THAT(Log(), HasSubstr("graded 0 of 3 submissions"));
  fs::remove(folder_.path() / "slurm/down");
  EXPECT_EQ(Run("there", "slurm", {"--resume"}), 0) << Log();
  ExpectOneEach("there", 3);
}

TEST_F(SlurmCommandTest, StopsForAFaultOfANode) {
  HandInClass(2, "fine ");
  HandIn("z", "fault");
  EXPECT_EQ(Run("there", "slurm"), 3);
  EXPECT_THAT(Log(), HasSubstr("on node1: the stub's disk is full\n  empty it"));
  EXPECT_EQ(Verdicts("there").count("z"), 0U) << "nobody fails for it";
}

TEST_F(SlurmCommandTest, RefusesOptionsThatAreNoWords) {
  HandInClass(1, "fine ");
  EXPECT_EQ(Run("there", "slurm", {"--slurm-options", "--partition='x"}), 2);
  EXPECT_THAT(Log(), HasSubstr("--slurm-options: this has a quote that does not end"));
}

}  // namespace
}  // namespace warpcheck::batch

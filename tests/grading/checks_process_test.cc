// Tests how checks programs are run. Shell scripts replace the programs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/files.h"
#include "grading/checks_program.h"
#include "grading/temporary_folder.h"

namespace warpcheck {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;

constexpr char kBegin[] =
    R"sh(o=${1#--order=}
r=$(sed 's/.*"results":"\([^"]*\)".*/\1/' "$o")
say() { echo "$1" >> "$r"; }
say '{"event":"begin","device":"emulator","device_name":"E","seed":7}'
)sh";

std::string Passes(const std::string& name) {
  return "say '{\"event\":\"begin_case\",\"name\":\"" + name +
         "\"}'\nsay '{\"event\":\"end_case\",\"name\":\"" + name +
         "\",\"verdict\":\"passed\",\"complaints\":[],\"seconds\":0.5}'\n";
}

std::string Begins(const std::string& name) {
  return "say '{\"event\":\"begin_case\",\"name\":\"" + name + "\"}'\n";
}

class ChecksProcessTest : public testing::Test {
 protected:
  Result<ChecksRun> Run(const std::string& script, const JudgeLimits& limits = {}) {
    std::filesystem::remove(folder_.path() / "results-1.jsonl");  // the script appends to this file
    command_.program = folder_.WriteScript("checks", script);
    return MakeChecksProcess(folder_.path(), limits)->Run(command_, progress_);
  }
  ChecksRun Runs(const std::string& script, const JudgeLimits& limits = {}) {
    auto run = Run(script, limits);
    if (run) return *std::move(run);
    ADD_FAILURE() << run.error().Text();
    return {};
  }

  TemporaryFolder folder_;
  ChecksCommand command_;
  CaseProgress progress_;
};

TEST_F(ChecksProcessTest, ReadsTheResultsAndReportsProgress) {
  std::vector<std::string> seen;
  progress_ = [&](std::string_view name, bool ended) {
    seen.push_back(std::string(name) + (ended ? " ended" : " begins"));
  };
  const ChecksRun run = Runs(kBegin + Passes("T.a") + Passes("T.b"));
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.ending, "exited with status 0");
  EXPECT_EQ(run.report.cases.size(), 2U);
  EXPECT_EQ(run.report.seed, 7U);
  EXPECT_THAT(seen, ElementsAre("T.a begins", "T.a ended", "T.b begins", "T.b ended"));
}

TEST_F(ChecksProcessTest, KeepsWhatCameBeforeADeath) {
  const ChecksRun run = Runs(kBegin + Passes("T.a") + Begins("T.b") + "echo words; kill -SEGV $$");
  EXPECT_FALSE(run.finished);
  EXPECT_EQ(run.ending, "was killed by signal 11 (segmentation fault)");
  EXPECT_EQ(run.output, "words\n");
  EXPECT_EQ(run.report.cases.size(), 1U);
  EXPECT_EQ(run.report.unfinished_case, "T.b");
}

TEST_F(ChecksProcessTest, KnowsWhoseDoingItsEndIs) {
  using Blame = ChecksRun::Blame;
  const std::string begins = kBegin + Begins("T.a");
  EXPECT_EQ(Runs(kBegin + Passes("T.a")).blame, Blame::kNobody);
  EXPECT_EQ(Runs(begins + "kill -SEGV $$").blame, Blame::kProgram);
  EXPECT_EQ(Runs(begins + "kill -ABRT $$").blame, Blame::kProgram);
  EXPECT_EQ(Runs(begins + "exit 3").blame, Blame::kProgram);
  for (const char* signal : {"KILL", "TERM", "HUP", "INT", "QUIT"}) {
    EXPECT_EQ(Runs(begins + "kill -" + signal + " $$").blame, Blame::kMachine) << signal;
  }
  EXPECT_EQ(Runs(begins + "sleep 100", {.wall_time = milliseconds(300)}).blame, Blame::kMachine);
  // A judge that has used more memory than any honest submission needs blames the submission,
  // whatever signal ended it.
  for (const char* signal : {"KILL", "ABRT"}) {
    EXPECT_EQ(Runs(begins + "kill -" + signal + " $$", {.memory_bytes = 1 << 20}).blame,
              Blame::kSubmission);
  }
  const ChecksRun loops =
      Runs(begins + "while :; do :; done", {.cpu_time = std::chrono::seconds(1)});
  EXPECT_EQ(loops.blame, Blame::kSubmission);
  EXPECT_EQ(loops.ending, "was killed by signal 24 (CPU time limit exceeded)");
}

TEST_F(ChecksProcessTest, SaysWhyNobodyWasJudged) {
  const ChecksRun run = Runs(kBegin + Begins("T.a") + "echo; echo it was killed >&2; exit 4");
  EXPECT_FALSE(run.finished);
  EXPECT_EQ(run.blame, ChecksRun::Blame::kMachine);
  EXPECT_EQ(run.ending, "gave up: it was killed");
}

TEST_F(ChecksProcessTest, AnotherStatusIsNoEnd) {
  const ChecksRun run = Runs("echo no sandbox >&2; exit 3");
  EXPECT_FALSE(run.finished);
  EXPECT_EQ(run.ending, "exited with status 3");
  EXPECT_EQ(run.output, "no sandbox\n");
}

TEST_F(ChecksProcessTest, EndsWithinItsLimitAndEndsItsGroup) {
  const std::string pid = (folder_.path() / "pid").string();
  const ChecksRun run = Runs(kBegin + Begins("T.a") + "sleep 100 & echo $! > " + pid + "\nwait",
                             {.wall_time = milliseconds(3'000)});
  EXPECT_EQ(run.ending, "was stopped after 3 s");
  EXPECT_EQ(run.report.unfinished_case, "T.a");
  const pid_t sleeper = std::stoi(ReadFile(pid).value());
  for (int i = 0; i < 200 && ::kill(sleeper, 0) == 0; ++i) ::usleep(10'000);
  // The process may stay a zombie if no process collects orphans.
  const auto state = ReadFile("/proc/" + std::to_string(sleeper) + "/stat");
  EXPECT_TRUE(!state || state->find(") Z ") != std::string::npos) << *state;
}

TEST_F(ChecksProcessTest, DoesNotWaitForWhoKeepsItsOutput) {
  const auto start = std::chrono::steady_clock::now();
  const ChecksRun run = Runs(kBegin + Passes("T.a") + "setsid sleep 60 & exit 0");
  EXPECT_TRUE(run.finished);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(ChecksProcessTest, AClosedOutputIsNoEnd) {
  const ChecksRun run =
      Runs(kBegin + Begins("T.a") + "exec >&- 2>&-\nsleep 100", {.wall_time = milliseconds(300)});
  EXPECT_EQ(run.ending, "was stopped after 0.3 s");
}

TEST_F(ChecksProcessTest, KeepsTheLastOfMuchOutput) {
  const ChecksRun run = Runs("yes | head -c 1000000; echo last; exit 3");
  EXPECT_EQ(run.output.size(), std::size_t{16} << 10);
  EXPECT_THAT(run.output, testing::EndsWith("last\n"));
}

TEST_F(ChecksProcessTest, NamesAnyNumberOfCases) {
  for (int i = 0; i < 20'000; ++i)
    command_.order.cases.push_back("Suite.Case/" + std::to_string(i));
  const ChecksRun run = Runs(kBegin + std::string("grep -o Suite.Case/ $o | wc -l"));
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.output, "20000\n");
}

TEST_F(ChecksProcessTest, TheUsersGoogleTestSettingsDoNotCount) {
  ::setenv("GTEST_FILTER", "None", 1);
  ::setenv("GTESTS", "kept", 1);
  const ChecksRun run = Runs("echo $GTEST_FILTER,$GTESTS; exit 3");
  ::unsetenv("GTEST_FILTER");
  ::unsetenv("GTESTS");
  EXPECT_EQ(run.output, ",kept\n");
}

TEST_F(ChecksProcessTest, SaysWhatCannotBeUsed) {
  const auto silent = Run("echo hello");
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().Text(),
            "error: checks wrote no results: it exited with status 0\nhello\n");
  const auto malformed = Run(kBegin + std::string("say nonsense"));
  ASSERT_FALSE(malformed);
  EXPECT_THAT(malformed.error().Text(), testing::HasSubstr(":2: error: malformed results: "));
  command_.program = "/none";
  const auto none = MakeChecksProcess(folder_.path())->Run(command_, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().Text(), "error: cannot run /none: No such file or directory");
}

TEST_F(ChecksProcessTest, ListsCases) {
  const auto program = folder_.WriteScript("list",
                                           "[ \"$*\" = '--gtest_list_tests --seed=7' ] && printf "
                                           "'S/T.\\n  a/1x1  # GetParam() = 1x1\\n'");
  const auto checks = MakeChecksProcess(folder_.path());
  const auto names = checks->List(program, 7);
  ASSERT_TRUE(names) << names.error().Text();
  EXPECT_THAT(*names, ElementsAre("S/T.a/1x1"));
  const auto failed = checks->List(folder_.WriteScript("bad", "exit 9"), 0);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().Text(), "error: bad cannot list its tests: it exited with status 9");
}

TEST(TestList, LeavesOutRemarksAndDisabledOnes) {
  EXPECT_THAT(ParseTestList("Running main() from gmock_main.cc\n"
                            "Plain.\n  A\n  DISABLED_B\n"
                            "DISABLED_Suite.\n  C\n"
                            "S/Typed/0.  # TypeParam = float\n  D\n"
                            "S/DISABLED_T.\n  E/0  # GetParam() = 1\n"
                            "S/T.\n  F/0  # GetParam() = \"a.\n"),
              ElementsAre("Plain.A", "S/Typed/0.D", "S/T.F/0"));
  EXPECT_THAT(ParseTestList(""), ElementsAre());
  EXPECT_THAT(ParseTestList("  orphan\nSuite.\n  last"), ElementsAre("Suite.last"));
}

}  // namespace
}  // namespace warpcheck

// Every limit and every way to end, in each sandbox.
#include <signal.h>

#include <filesystem>
#include <thread>

#include "sandbox/fixture.h"

namespace warpcheck::sandbox {
namespace {

class LimitsTest : public SandboxTest {
 protected:
  void ExpectEnding(const Command& command, Cause cause, const std::string& text) {
    const Ending ending = RunOrFail(*sandbox_, command);
    EXPECT_EQ(ending.cause, cause) << ending.stderr_text;
    EXPECT_EQ(ending.Text(command.limits), text);
  }
};

TEST_P(LimitsTest, Exits) {
  ExpectEnding(Make({"exit", "0"}), Cause::kExited, "exited with status 0");
  ExpectEnding(Make({"exit", "3"}), Cause::kExited, "exited with status 3");
  ExpectEnding(Make({"exit", "139"}), Cause::kExited, "exited with status 139");
}

TEST_P(LimitsTest, NamesSignals) {
  ExpectEnding(Make({"crash"}), Cause::kSignaled, "killed by signal 11 (segmentation fault)");
  ExpectEnding(Make({"raise", "6"}), Cause::kSignaled, "killed by signal 6 (aborted)");
  ExpectEnding(Make({"raise", "9"}), Cause::kSignaled, "killed by signal 9 (killed)");
  ExpectEnding(Make({"raise", "24"}), Cause::kSignaled,
               "killed by signal 24 (CPU time limit exceeded)");
}

TEST_P(LimitsTest, EverySignal) {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGUSR1,
                           SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGSYS}) {
    const Ending ending = RunOrFail(*sandbox_, Make({"raise", std::to_string(signal)}));
    EXPECT_EQ(ending.cause, Cause::kSignaled) << signal;
    EXPECT_EQ(ending.signal, signal);
  }
}

TEST_P(LimitsTest, KeepsBothOutputs) {
  const Ending ending = RunOrFail(*sandbox_, Make({"print"}));
  EXPECT_EQ(ending.stdout_text, "out");
  EXPECT_EQ(ending.stderr_text, "err");
  EXPECT_GT(ending.peak_memory_bytes, 0U);
}

TEST_P(LimitsTest, WallTime) {
  Command command = Make({"sleep"});
  command.limits.wall_time = std::chrono::milliseconds(300);
  ExpectEnding(command, Cause::kWallTime, "ran longer than 300 ms");
}

TEST_P(LimitsTest, CpuTime) {
  Command command = Make({"loop"});
  command.limits.cpu_time = std::chrono::seconds(1);
  command.limits.wall_time = std::chrono::seconds(20);
  ExpectEnding(command, Cause::kCpuTime, "used more than 1 s of CPU time");
}

TEST_P(LimitsTest, Memory) {
  ExpectEnding(Make({"memory"}), Cause::kMemory, "used more than 192 MiB of memory");
}

TEST_P(LimitsTest, MemoryOfAllProcessesTogether) {
  ExpectEnding(Make({"memory_in_processes"}), Cause::kMemory, "used more than 192 MiB of memory");
}

TEST_P(LimitsTest, Processes) {
  ExpectEnding(Make({"forks"}), Cause::kProcesses, "started more than 16 processes and threads");
}

TEST_P(LimitsTest, Threads) {
  ExpectEnding(Make({"threads"}), Cause::kProcesses, "started more than 16 processes and threads");
}

TEST_P(LimitsTest, Output) {
  for (const char* fd : {"1", "2"}) {
    const Command command = Make({"flood", fd});
    const Ending ending = RunOrFail(*sandbox_, command);
    EXPECT_EQ(ending.cause, Cause::kOutput);
    EXPECT_EQ(ending.stdout_text + ending.stderr_text, std::string(32 << 10, 'x'));
    EXPECT_EQ(ending.Text(command.limits), "printed more than 32 KiB");
  }
}

TEST_P(LimitsTest, Stop) {
  auto process = sandbox_->Start(Make({"sleep"}));
  ASSERT_TRUE(process) << process.error().Text();
  EXPECT_EQ((*process)->Stop().cause, Cause::kStopped);
  EXPECT_EQ((*process)->Stop().Text({}), "was stopped");
}

TEST_P(LimitsTest, StopAfterTheEndChangesNothing) {
  auto process = sandbox_->Start(Make({"exit", "4"}));
  ASSERT_TRUE(process) << process.error().Text();
  EXPECT_EQ((*process)->Wait().exit_code, 4);
  EXPECT_EQ((*process)->Stop().cause, Cause::kExited);
}

TEST_P(LimitsTest, MissingProgramIsOurFault) {
  Command command = Make({});
  command.arguments = {"/no/such/program"};
  ExpectEnding(command, Cause::kSandboxFault,
               "could not be started in the sandbox: cannot execute /no/such/program: No such "
               "file or directory");
}

TEST_P(LimitsTest, LivesOnAfterTheThreadThatStartedIt) {
  std::unique_ptr<Process> process;
  Command command = Make({"sleep"});
  command.limits.wall_time = std::chrono::milliseconds(300);
  std::thread([&] { process = *sandbox_->Start(command); }).join();
  EXPECT_EQ(process->Wait().cause, Cause::kWallTime);
}

class SurvivalTest : public SandboxTest {};

TEST_P(SurvivalTest, NothingSurvives) {
  const bool isolated = GetParam() == Kind::kBubblewrap;
  const std::filesystem::path folder = testing::TempDir() + "warpcheck_survivor";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::filesystem::permissions(folder, std::filesystem::perms::all);
  Command command = Make({"survive", isolated ? "/tmp/shared/sign" : folder / "sign"});
  if (isolated) {
    command.mounts.push_back({.outside = folder, .inside = "/tmp/shared", .writable = true});
  }
  EXPECT_EQ(RunOrFail(*sandbox_, command).cause, Cause::kExited);
  const auto size = std::filesystem::file_size(folder / "sign");
  EXPECT_GT(size, 0U);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(std::filesystem::file_size(folder / "sign"), size);
  std::filesystem::remove_all(folder);
}

INSTANTIATE_TEST_SUITE_P(Each, SurvivalTest, testing::Values(Kind::kUnconfined, Kind::kBubblewrap),
                         KindName);  // in a room: room_test.cc

INSTANTIATE_TEST_SUITE_P(Each, LimitsTest,
                         testing::Values(Kind::kUnconfined, Kind::kBubblewrap, Kind::kRoom,
                                         Kind::kRoomOfCopies),
                         KindName);

TEST(UnconfinedTest, FileSize) {
  auto sandbox = MakeUnconfined();
  const Command command = Hostile({"huge_file"}, Kind::kUnconfined);
  const Ending ending = RunOrFail(*sandbox, command);
  EXPECT_EQ(ending.Text(command.limits), "wrote a file larger than 1 MiB");
  std::filesystem::remove("/tmp/huge");
}

}  // namespace
}  // namespace warpcheck::sandbox

// Tests every limit and every way to end, in each kind of sandbox.
#include <signal.h>

#include <filesystem>
#include <thread>

#include "sandbox/fixture.h"
#include "sandbox/unconfined.h"

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
  // The process itself.
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

TEST_P(LimitsTest, Idle) {
  for (const char* harm : {"sleep", "naps", "stops_itself", "vforks"}) {
    ExpectEnding(Make({harm}), Cause::kIdle,
                 "waited longer than 300 ms for something that never came");
  }
}

TEST_P(LimitsTest, CpuTime) {
  Command command = Make({"loop"});
  command.limits.cpu_time = std::chrono::seconds(1);
  ExpectEnding(command, Cause::kCpuTime, "used more than 1 s of CPU time");
}

// No single process reaches the limit.
TEST_P(LimitsTest, CpuTimeOfAllProcessesTogether) {
  for (const char* harm : {"loops_in_processes", "loops_in_threads"}) {
    Command command = Make({harm});
    command.limits.cpu_time = std::chrono::seconds(1);
    ExpectEnding(command, Cause::kCpuTime, "used more than 1 s of CPU time");
  }
}

TEST_P(LimitsTest, LooksAtAll) {
  auto process = sandbox_->Start(Make({"loops_in_threads"}));
  ASSERT_TRUE(process) << process.error().Text();
  std::optional<Activity> first, later;
  while (!first || first->ran == std::chrono::microseconds(0)) first = (*process)->Look();
  while (!later || later->ran <= first->ran) later = (*process)->Look();
  EXPECT_TRUE(later->awake);
  EXPECT_FALSE((*process)->EndsWithin(std::chrono::milliseconds(0)));
  EXPECT_EQ((*process)->End(Cause::kIdle).cause, Cause::kIdle);
  EXPECT_EQ((*process)->Look(), std::nullopt);
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
  std::thread([&] { process = *sandbox_->Start(Make({"sleep"})); }).join();
  EXPECT_EQ(process->Wait().cause, Cause::kIdle);
}

// Data in pipes takes memory in addition to that of the processes.
TEST_P(LimitsTest, Pipes) {
  Command command = Make({"pipes"});
  command.calls = Calls::kSubmission;
  command.limits.descriptors = 64;
  const Ending ending = RunOrFail(*sandbox_, command);
  ASSERT_EQ(ending.cause, Cause::kExited) << ending.Text(command.limits);
  const std::uint64_t held = std::stoull(ending.stdout_text);
  EXPECT_GT(held, 0U);
  // Without a filter of calls, each pipe may be made 16 times as large.
  EXPECT_LE(held, std::uint64_t{2} << (sandbox_->isolates() ? 20 : 24));
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
                         KindName);  // jail_test.cc tests the limits in a jail

INSTANTIATE_TEST_SUITE_P(Each, LimitsTest,
                         testing::Values(Kind::kUnconfined, Kind::kBubblewrap, Kind::kJail,
                                         Kind::kJailOfCopies),
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

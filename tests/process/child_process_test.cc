#include "process/child_process.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/descriptor.h"

namespace warpcheck {
namespace {

// Returns what a shell writes to its descriptor 3.
std::string Says(const std::string& script, ChildCommand command = {}) {
  auto pipe = MakePipe();
  if (!pipe) return "no pipe";
  command.program = "/bin/sh";
  command.arguments = {"-c", script};
  command.third = pipe->sink.get();
  const auto child = ChildProcess::Start(command);
  if (!child) return child.error().Text();
  pipe->sink.Close();
  std::string said;
  char buffer[256];
  for (ssize_t got; (got = ::read(pipe->source.get(), buffer, sizeof buffer)) > 0;) {
    said.append(buffer, static_cast<std::size_t>(got));
  }
  return said;
}

ChildEnd EndOf(const std::string& script) {
  const auto child = ChildProcess::Start({.program = "/bin/sh", .arguments = {"-c", script}});
  EXPECT_TRUE(child);
  return child ? (*child)->Wait() : ChildEnd();
}

TEST(ChildProcessTest, SaysHowItEnded) {
  EXPECT_EQ(EndOf("exit 3").Text(), "exited with status 3");
  const ChildEnd crashed = EndOf("kill -SEGV $$");
  EXPECT_EQ(crashed.Text(), "was killed by signal 11 (segmentation fault)");
  EXPECT_FALSE(crashed.KilledByOthers());
  const ChildEnd killed = EndOf("kill -KILL $$");
  EXPECT_EQ(killed.Text(), "was killed by signal 9 (killed)");
  EXPECT_TRUE(killed.KilledByOthers());
}

TEST(ChildProcessTest, IsNotStartedWhereThereIsNoProgram) {
  const auto child = ChildProcess::Start({.program = "/no/such/program"});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message, "cannot run /no/such/program: No such file or directory");
}

TEST(ChildProcessTest, GetsTheDescriptorsThatItIsGivenAndNoOthers) {
  EXPECT_EQ(Says("for fd in 0 2; do readlink /proc/self/fd/$fd; done >&3"),
            "/dev/null\n/dev/null\n");
  // Stays open in executed programs.
  const Descriptor left_open(::fcntl(STDERR_FILENO, F_DUPFD, 200));
  EXPECT_EQ(Says(fmt::format("test -e /proc/self/fd/{} && echo inherited >&3", left_open.get())),
            "");
}

// An end of the pipe may have the number that another descriptor of the child will get.
TEST(ChildProcessTest, PlacesDescriptorsOfAnyNumber) {
  auto pipe = MakePipe();
  ASSERT_TRUE(pipe);
  const int kept = ::dup(STDIN_FILENO);
  ASSERT_EQ(::dup2(pipe->sink.get(), STDIN_FILENO), STDIN_FILENO);
  const auto child =
      ChildProcess::Start({.program = "/bin/sh",
                           .arguments = {"-c", "echo out; read line; test \"$line\" = out"},
                           .input = pipe->source.get(),
                           .output = STDIN_FILENO,
                           .errors = STDERR_FILENO});
  ::dup2(kept, STDIN_FILENO);
  ::close(kept);
  ASSERT_TRUE(child);
  pipe->sink.Close();
  EXPECT_EQ((*child)->Wait().Text(), "exited with status 0");
}

TEST(ChildProcessTest, HasTheEnvironmentThatItIsGiven) {
  ::setenv("CHILD_TEST_OLD", "old", 1);
  ::setenv("CHILD_TEST_HIDDEN_ONE", "hidden", 1);
  EXPECT_EQ(
      Says("echo $CHILD_TEST_OLD $CHILD_TEST_NEW [$CHILD_TEST_HIDDEN_ONE] >&3",
           {.program = {}, .environment = {"CHILD_TEST_NEW=a=b"}, .without = "CHILD_TEST_HIDDEN"}),
      "old a=b []\n");
}

TEST(ChildProcessTest, SeesTheNameThatItIsGiven) {
  EXPECT_EQ(
      Says("tr '\\0' ' ' < /proc/$$/cmdline >&3", {.program = {}, .name = "a name"}).substr(0, 7),
      "a name ");
}

TEST(ChildProcessTest, IgnoresAndBlocksNoSignalThatItsParentDoes) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  sigset_t some, mask;
  ::sigemptyset(&some);
  ::sigaddset(&some, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &some, &mask);
  const std::string ignored = EndOf("kill -PIPE $$").Text();
  const std::string blocked = EndOf("kill -TERM $$").Text();
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  std::signal(SIGPIPE, before);
  EXPECT_EQ(ignored, "was killed by signal 13 (broken pipe)");
  EXPECT_EQ(blocked, "was killed by signal 15 (terminated)");
}

TEST(ChildProcessTest, EndsWhatItStarted) {
  auto pipe = MakePipe();
  ASSERT_TRUE(pipe);
  {
    const auto child = ChildProcess::Start({.program = "/bin/sh",
                                            .arguments = {"-c", "sleep 1000 & exit 0"},
                                            .third = pipe->sink.get()});
    ASSERT_TRUE(child);
    pipe->sink.Close();
    EXPECT_TRUE((*child)->AwaitEnd(std::chrono::minutes(5)));
    EXPECT_TRUE((*child)->HasEnded());
  }
  char byte;
  EXPECT_EQ(::read(pipe->source.get(), &byte, 1), 0) << "somebody still has the other end";
}

// Starts a shell and a program of the shell in a process that then waits, and ends that process by
// the signal. Both hold the other end of the pipe that this function returns.
Descriptor AfterTheEndOfTheStarter(int signal) {
  auto pipe = MakePipe();
  if (!pipe) return Descriptor();
  const pid_t starter = ::fork();
  if (starter == 0) {
    const auto child = ChildProcess::Start({.program = "/bin/sh",
                                            .arguments = {"-c", "sleep 1000 & echo >&3; wait"},
                                            .third = pipe->sink.get()});
    pipe->sink.Close();
    for (;;) ::pause();
  }
  pipe->sink.Close();
  char byte;
  EXPECT_EQ(::read(pipe->source.get(), &byte, 1), 1);
  ::kill(starter, signal);
  int status = 0;
  EXPECT_EQ(::waitpid(starter, &status, 0), starter);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
  return std::move(pipe->source);
}

TEST(ChildProcessTest, EndsWithAllThatItStartedWhenItsStarterEnds) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL, SIGSEGV}) {
    const Descriptor source = AfterTheEndOfTheStarter(signal);
    pollfd end = {.fd = source.get(), .events = POLLIN, .revents = 0};
    constexpr int kPatience = 300'000;
    ASSERT_EQ(::poll(&end, 1, kPatience), 1) << "a process outlives signal " << signal;
    char byte;
    EXPECT_EQ(::read(source.get(), &byte, 1), 0);
  }
}

// The guard of the group is none of them.
TEST(ChildProcessTest, HasNoChildrenThatItDidNotStart) {
  EXPECT_EQ(Says("read line < /proc/$$/task/$$/children; echo $line >&3"), "\n");
}

}  // namespace
}  // namespace warpcheck

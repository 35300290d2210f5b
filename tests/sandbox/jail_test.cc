// Tests that programs in one jail do not notice each other, one after the other or at the same
// time, and how they end when the jail breaks.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "sandbox/bubblewrap.h"
#include "sandbox/fixture.h"

namespace warpcheck::sandbox {
namespace {

// This program has done its harm and still runs.
struct Guest {
  std::unique_ptr<Process> process;
  Descriptor socket;

  bool Answers() const {
    char byte = 'y';
    return ::send(socket.get(), &byte, 1, MSG_NOSIGNAL) == 1 && ::read(socket.get(), &byte, 1) == 1;
  }
};

class RoomTest : public SandboxTest {
 protected:
  Guest Start(std::vector<std::string> arguments) {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    Guest guest{.process = nullptr, .socket = Descriptor(ends[0])};
    Command command = Make(std::move(arguments));
    command.inherited_fd = ends[1];
    auto process = sandbox_->Start(command);
    ::close(ends[1]);
    EXPECT_TRUE(process) << process.error().Text();
    if (process) guest.process = *std::move(process);
    char sign = 0;
    EXPECT_EQ(::read(guest.socket.get(), &sign, 1), 1) << "it could not do its harm";
    return guest;
  }
};
INSTANTIATE_TEST_SUITE_P(Each, RoomTest, Jails(), KindName);

// Returns the pid of the fork server. This process has one child, bwrap, and the fork server is
// bwrap's only child.
pid_t ForkServerOfTheOnlyJail() {
  const auto ours = ChildrenOf(::getpid());
  EXPECT_EQ(ours.size(), 1U);
  const auto theirs = ours.empty() ? ours : ChildrenOf(ours.front());
  EXPECT_EQ(theirs.size(), 1U);
  return theirs.empty() ? 0 : theirs.front();
}

TEST_P(RoomTest, NoTraceIsLeft) {
  for (const char* kind : {"file", "full /tmp", "shared memory", "semaphore", "messages", "queue",
                           "socket", "stdin", "lock"}) {
    EXPECT_EQ(Run({"leave_and_find", kind}).exit_code, 1) << kind << ": it cannot tell";
    EXPECT_EQ(Run({"leave", kind}).exit_code, 1) << kind << ": nothing was left";
    EXPECT_EQ(Run({"find", kind}).exit_code, 0) << kind;
  }
  EXPECT_EQ(Run({"see"}).exit_code, 0);
}

TEST_P(RoomTest, NoTraceIsSeenBeside) {
  for (const char* kind : {"file", "full /tmp", "shared memory", "semaphore", "messages", "queue",
                           "socket", "stdin", "processes"}) {
    const auto other = Start({"leave_and_stay", kind});
    EXPECT_EQ(Run({"find", kind}).exit_code, 0) << kind;
    EXPECT_EQ(Run({"see"}).exit_code, 0) << kind;
    EXPECT_TRUE(other.Answers()) << kind;
  }
}

TEST_P(RoomTest, NothingSharedCanBeChanged) {
  EXPECT_EQ(Run({"leave", "host name"}).exit_code, 0);
  EXPECT_EQ(Run({"leave", "mount"}).exit_code, 0);
  EXPECT_EQ(Run({"leave", "no mount"}).exit_code, 0);
  const Ending ending = Run({"change_shared"});
  EXPECT_EQ(ending.exit_code, 0) << ending.stdout_text;
}

TEST_P(RoomTest, EachSeesTheSameMounts) {
  const auto mounts = [&] {
    Command command = Make({});
    command.arguments = {"/usr/bin/cut", "-d ", "-f4-", "/proc/self/mountinfo"};
    return RunOrFail(*sandbox_, command).stdout_text;
  };
  const std::string first = mounts();
  EXPECT_NE(first.find(" /program "), std::string::npos) << first;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(mounts(), first);
}

TEST_P(RoomTest, NothingOfAProgramSurvives) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const Descriptor ours(ends[0]);
  Command command = Make({"survive_on_3"});
  command.inherited_fd = ends[1];
  EXPECT_EQ(RunOrFail(*sandbox_, command).exit_code, 0);
  ::close(ends[1]);
  char buffer[4096];
  ssize_t got, all = 0;
  while ((got = ::recv(ours.get(), buffer, sizeof buffer, MSG_DONTWAIT)) > 0) all += got;
  EXPECT_GT(all, 0) << "it was never there";
  EXPECT_EQ(got, 0) << "somebody still holds the other end";
}

TEST_P(RoomTest, NobodyElseCanBeKilled) {
  const auto other = Start({"leave_and_stay", "file"});
  const Ending ending = Run({"kill_around"});
  EXPECT_EQ(ending.Text(SmallLimits()), "killed by signal 9 (killed)");  // all calls are allowed
  EXPECT_TRUE(other.Answers());
  EXPECT_EQ(other.process->Stop().cause, Cause::kStopped);
  EXPECT_EQ(Run({"exit", "0"}).cause, Cause::kExited);
}

TEST_P(RoomTest, ARoomThatBreaksIsNobodysFault) {
  const auto program = Start({"leave_and_stay", "file"});
  ASSERT_EQ(::kill(ForkServerOfTheOnlyJail(), SIGKILL), 0);
  const Ending& ending = program.process->Wait();
  EXPECT_EQ(ending.Text({}),
            "could not be started in the sandbox: the first process of the sandbox has ended");
  EXPECT_EQ(Run({"exit", "4"}).exit_code, 4);
}

TEST_P(RoomTest, EndsWithItsOwner) {
  const pid_t fork_server = ForkServerOfTheOnlyJail();
  sandbox_.reset();
  EXPECT_EQ(::kill(fork_server, 0), -1);
  EXPECT_TRUE(ChildrenOf(::getpid()).empty());
}

TEST_P(RoomTest, GoesOnWhileItHoldsAProgram) {
  const auto program = Start({"leave_and_stay", "file"});
  sandbox_.reset();
  EXPECT_EQ(program.process->Stop().cause, Cause::kStopped);
}

TEST_P(RoomTest, RefusesACommandThatIsTooLong) {
  Command command = Make({"exit", "0"});
  command.environment = {"A=" + std::string(1 << 16, 'x')};
  const auto ending = sandbox_->Run(command);
  ASSERT_FALSE(ending);
  EXPECT_NE(ending.error().message.find("too long for the sandbox"), std::string::npos);
  EXPECT_EQ(Run({"exit", "4"}).exit_code, 4);
}

TEST_P(RoomTest, TakesNoMountsThatOneCouldChange) {
  EXPECT_DEATH(MakeJail({{.outside = "/usr", .inside = "/shared", .writable = true}}).has_value(),
               "read-only");
  EXPECT_DEATH(MakeJail({{.outside = "/usr", .inside = "/tmp/../tmp/usr"}}).has_value(), "/tmp");
  EXPECT_DEATH((void)sandbox_->Run(Hostile({"exit", "0"}, Kind::kBubblewrap)),
               "from the beginning");
}

}  // namespace
}  // namespace warpcheck::sandbox

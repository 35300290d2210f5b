// Tests the filter of system calls: a forbidden call ends the program and is named, calls that
// honest programs need work, and a call in neither list does not exist.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iterator>

#include "sandbox/call_filter.h"
#include "sandbox/fixture.h"

namespace warpcheck::sandbox {
namespace {

struct NamedCall {
  const char* name;
  long number;
};

constexpr NamedCall kForbidden[] = {
#define FORBIDDEN(name) {#name, SYS_##name},
#include "sandbox/system_calls.def"
#include "sandbox/unconfined.h"
};

std::vector<std::string> CallOf(long number, const std::vector<long>& arguments = {}) {
  std::vector<std::string> words = {"call", std::to_string(number)};
  for (const long argument : arguments) words.push_back(std::to_string(argument));
  return words;
}

// Kills the deepest descendant of this process: the untrusted program in its only sandbox.
bool KillTheDeepestDescendant() {
  pid_t deepest = 0;
  for (auto children = ChildrenOf(::getpid()); !children.empty(); children = ChildrenOf(deepest)) {
    deepest = children.back();
  }
  return deepest != 0 && ::kill(deepest, SIGKILL) == 0;
}

class CallsTest : public SandboxTest {
 protected:
  Ending RunUnder(Calls calls, std::vector<std::string> arguments) {
    Command command = Make(std::move(arguments));
    command.calls = calls;
    return RunOrFail(*sandbox_, command);
  }
  void ExpectForbidden(Calls calls, std::vector<std::string> arguments, const std::string& name) {
    const Ending ending = RunUnder(calls, std::move(arguments));
    EXPECT_EQ(ending.cause, Cause::kForbiddenCall) << name;
    EXPECT_EQ(ending.Text(SmallLimits()), "used a system call that is not allowed: " + name);
  }
};

INSTANTIATE_TEST_SUITE_P(Each, CallsTest, Isolating(), KindName);

TEST_P(CallsTest, ForbiddenCallsEndAProgramAndAreNamed) {
  for (const NamedCall& call : kForbidden) {
    const std::vector<long> useless = {-1, -1, -1, -1, -1, -1};
    ExpectForbidden(Calls::kSubmission, CallOf(call.number, useless), call.name);
  }
}

TEST_P(CallsTest, ForbiddenCallsEndACompilation) {
  for (const char* name : {"ptrace", "mount", "bpf", "io_uring_setup", "setuid"}) {
    const auto* const call =
        std::find_if(std::begin(kForbidden), std::end(kForbidden),
                     [&](const NamedCall& row) { return name == std::string(row.name); });
    ASSERT_NE(call, std::end(kForbidden));
    ExpectForbidden(Calls::kCompiler, CallOf(call->number, {-1, -1, -1, -1}), name);
  }
}

TEST_P(CallsTest, TheSameCallIsMadeWithoutTheFilter) {
  EXPECT_EQ(RunUnder(Calls::kAll, CallOf(SYS_setuid, {::geteuid() == 0 ? -1 : ::geteuid()})).cause,
            Cause::kExited);
  EXPECT_EQ(RunUnder(Calls::kAll, CallOf(SYS_socket, {AF_INET, SOCK_STREAM, 0})).exit_code, 1);
  EXPECT_EQ(RunUnder(Calls::kAll, CallOf(SYS_personality, {0})).exit_code, 1);
  EXPECT_EQ(RunUnder(Calls::kAll, CallOf(SYS_memfd_create)).exit_code,
            0);  // EFAULT means that the call exists
}

TEST_P(CallsTest, ArgumentsDecide) {
  for (const Calls calls : {Calls::kSubmission, Calls::kCompiler}) {
    for (const long flag : {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWIPC}) {
      ExpectForbidden(calls, CallOf(SYS_clone, {flag | SIGCHLD}), "clone");
    }
    for (const long family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG}) {
      ExpectForbidden(calls, CallOf(SYS_socket, {family, SOCK_STREAM, 0}), "socket");
    }
    ExpectForbidden(calls, CallOf(SYS_ioctl, {0, TIOCSTI, 0}), "ioctl");
    ExpectForbidden(calls, CallOf(SYS_ioctl, {0, 0x1'0000'0000 | TIOCSTI, 0}), "ioctl");
    ExpectForbidden(calls, CallOf(SYS_personality, {0x40000}), "personality");
    EXPECT_EQ(RunUnder(calls, CallOf(SYS_personality, {0xffff'ffff})).exit_code, 1);
    EXPECT_EQ(RunUnder(calls, CallOf(SYS_socket, {AF_UNIX, SOCK_STREAM, 0})).exit_code, 0);
    EXPECT_EQ(RunUnder(calls, CallOf(SYS_clone3)).exit_code, 2);
  }
}

// Calls of x32 reach the filter even if the kernel does not have them.
TEST_P(CallsTest, OtherArchitecturesAreForbidden) {
  for (const Calls calls : {Calls::kSubmission, Calls::kCompiler}) {
    ExpectForbidden(calls, CallOf(0x4000'0000 | SYS_getpid), "one of another architecture");
  }
}

// A kernel without 32-bit calls does not use the filter: the processor faults.
TEST_P(CallsTest, CallsOf32BitMachinesAreForbiddenOrDoNotExist) {
  const Ending free = RunUnder(Calls::kAll, {"call32"});
  const bool exist = free.cause == Cause::kExited && free.exit_code == 1;
  ASSERT_TRUE(exist || (free.cause == Cause::kSignaled && free.signal == SIGSEGV))
      << free.Text(SmallLimits());
  for (const Calls calls : {Calls::kSubmission, Calls::kCompiler}) {
    if (exist) {
      ExpectForbidden(calls, {"call32"}, "one of another architecture");
    } else {
      const Ending ending = RunUnder(calls, {"call32"});
      EXPECT_EQ(ending.cause, Cause::kSignaled);
      EXPECT_EQ(ending.signal, SIGSEGV);
    }
  }
}

// Cause::kKilled relies on this.
TEST_P(CallsTest, ASubmissionCannotSendTheSignalThatOnlyOthersSend) {
  const Calls calls = Calls::kSubmission;
  ExpectForbidden(calls, {"kill_around"}, "kill");
  ExpectForbidden(calls, CallOf(SYS_tkill, {1, SIGKILL}), "tkill");
  ExpectForbidden(calls, CallOf(SYS_tgkill, {1, 1, SIGKILL}), "tgkill");
  ExpectForbidden(calls, CallOf(SYS_kill, {0, 0x1'0000'0000 | SIGKILL}), "kill");
  ExpectForbidden(calls, CallOf(SYS_rt_sigqueueinfo, {1, SIGKILL, 0}), "rt_sigqueueinfo");
  EXPECT_EQ(RunUnder(calls, CallOf(SYS_clone, {SIGKILL})).exit_code, 2);
  EXPECT_EQ(RunUnder(calls, CallOf(SYS_fcntl, {1, F_SETSIG, SIGKILL})).exit_code, 2);
  for (int signal = 1; signal <= 64; ++signal) {
    if (signal == SIGKILL) continue;
    EXPECT_NE(RunUnder(calls, CallOf(SYS_kill, {12'345, signal})).exit_code, 2) << signal;
  }
}

TEST_P(CallsTest, ASubmissionCannotHideTheTimeOfItsProcesses) {
  EXPECT_EQ(RunUnder(Calls::kSubmission, CallOf(SYS_rt_sigaction, {SIGCHLD, 0, 0, 8})).exit_code,
            0);
  EXPECT_EQ(RunUnder(Calls::kSubmission, CallOf(SYS_rt_sigaction, {SIGUSR1, 0, 0, 8})).exit_code,
            1);
  Command command = Make({"loops_in_processes", "hidden"});
  command.calls = Calls::kSubmission;
  command.limits.cpu_time = std::chrono::seconds(1);
  EXPECT_EQ(RunOrFail(*sandbox_, command).cause, Cause::kCpuTime);
}

TEST_P(CallsTest, WhoeverIsKilledFromOutsideIsNotToBlame) {
  Command command = Make({"sleep"});
  command.calls = Calls::kSubmission;
  command.limits.idle_time = std::chrono::minutes(5);
  auto process = sandbox_->Start(command);
  ASSERT_TRUE(process) << process.error().Text();
  while (!(*process)->Look()) {
  }
  // /proc shows unreliable values for processes that begin or end meanwhile.
  while (!KillTheDeepestDescendant() && !(*process)->EndsWithin(std::chrono::milliseconds(10))) {
  }
  const Ending& ending = (*process)->Wait();
  EXPECT_EQ(ending.cause, Cause::kKilled);
  EXPECT_TRUE(IsMachineFault(ending.cause));
  EXPECT_EQ(ending.Text(command.limits), "was killed from outside, by signal 9 (killed)");
}

TEST_P(CallsTest, UnlistedCallsDoNotExistForASubmission) {
  for (const long number : std::initializer_list<long>{SYS_memfd_create, SYS_shmget, SYS_mq_open,
                                                       SYS_setrlimit, SYS_seccomp, SYS_pidfd_open,
                                                       SYS_io_setup, SYS_socketpair, 4242}) {
    EXPECT_EQ(RunUnder(Calls::kSubmission, CallOf(number)).exit_code, 2) << number;
  }
  EXPECT_EQ(RunUnder(Calls::kSubmission, CallOf(SYS_getpid)).exit_code, 1);
}

TEST_P(CallsTest, HonestProgramsWork) {
  for (const Calls calls : {Calls::kAll, Calls::kSubmission, Calls::kCompiler}) {
    Command command = Make({});
    command.arguments = {"/honest"};
    command.limits = {};
    command.calls = calls;
    const Ending ending = RunOrFail(*sandbox_, command);
    EXPECT_EQ(ending.Text(command.limits), "exited with status 0") << ending.stderr_text;
    EXPECT_THAT(ending.stdout_text, testing::AllOf(testing::HasSubstr("from the shell\n"),
                                                   testing::EndsWith("all done\n")));
  }
}

TEST(CallsWithoutIsolation, AreAllAllowed) {
  Command command = Hostile(CallOf(SYS_socket, {AF_INET, SOCK_STREAM, 0}), Kind::kUnconfined);
  command.calls = Calls::kSubmission;
  EXPECT_EQ(RunOrFail(*MakeUnconfined(), command).exit_code, 1);
}

// A container may listen for calls itself; the kernel allows one listener for each process.
void HaveAListener() {
  sock_filter allow[] = {{.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = SECCOMP_RET_ALLOW}};
  const sock_fprog program = {.len = 1, .filter = allow};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program) <
      0) {
    ::_exit(3);
  }
}

TEST_P(CallsTest, ForbiddenCallsEndAProgramWhereNobodyCanBeTold) {
  const auto attempt = [this] {
    HaveAListener();
    sandbox_ = *MakeSandbox(GetParam());
    const Ending ending = RunUnder(Calls::kSubmission, CallOf(SYS_ptrace));
    const Ending honest = RunUnder(Calls::kSubmission, {"exit", "0"});
    const bool ended = ending.Text({}) == "used a system call that is not allowed";
    ::_exit(!ended ? 1 : honest.exit_code != 0 || honest.cause != Cause::kExited ? 2 : 0);
  };
  EXPECT_EXIT(attempt(), testing::ExitedWithCode(0), "");
}

TEST(CallName, IsTheKernels) {
  EXPECT_EQ(CallName(SYS_ptrace), "ptrace");
  EXPECT_EQ(CallName(4242), "number 4242");
  EXPECT_EQ(CallName(-1), "one of another architecture");
}

}  // namespace
}  // namespace warpcheck::sandbox

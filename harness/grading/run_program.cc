#include "grading/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/group.hpp>
#include <boost/process/io.hpp>
#include <boost/process/pipe.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "base/signals.h"

namespace warpcheck {
namespace {

namespace process = boost::process;
using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 50;
constexpr int kEndMilliseconds = 1;  // once its output is closed, which is when most programs end

struct DieWithParent : process::extend::handler {
  template <class Executor>
  void on_exec_setup(Executor&) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
};

struct LimitCpuTime : process::extend::handler {
  explicit LimitCpuTime(std::chrono::seconds time) : seconds(static_cast<rlim_t>(time.count())) {}
  template <class Executor>
  void on_exec_setup(Executor&) const {
    const rlimit limit = {.rlim_cur = seconds, .rlim_max = RLIM_INFINITY};
    if (seconds > 0) ::setrlimit(RLIMIT_CPU, &limit);
  }
  rlim_t seconds;
};

process::environment EnvironmentOf(const ProgramRun& run) {
  process::environment environment = boost::this_process::environment();
  std::vector<std::string> foreign;
  for (const auto& entry : environment) {
    if (entry.get_name().starts_with("GTEST_")) foreign.push_back(entry.get_name());
  }
  for (const std::string& name : foreign) environment.erase(name);
  for (const std::string& entry : run.environment) {
    const std::size_t equals = entry.find('=');
    environment[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return environment;
}

// Leaves it to be waited for, so that its process group cannot become another's yet.
bool HasEnded(pid_t pid) {
  siginfo_t info = {};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid;
}

// What can be read without waiting. False where no more will come.
bool TakeOutput(int fd, std::size_t max_bytes, std::string& output) {
  char buffer[1 << 14];
  for (;;) {
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN;
    if (got == 0) return false;
    output.append(buffer, static_cast<std::size_t>(got));
    if (output.size() > max_bytes) output.erase(0, output.size() - max_bytes);
  }
}

// True where the deadline passed first.
bool WatchUntil(Clock::time_point deadline, pid_t pid, int source, const ProgramRun& run,
                std::string& output, const std::function<void()>& idle) {
  bool open = true;
  while (!HasEnded(pid)) {
    if (Clock::now() >= deadline) return true;
    struct pollfd ready = {.fd = open ? source : -1, .events = POLLIN, .revents = 0};
    ::poll(&ready, 1, open ? kPollMilliseconds : kEndMilliseconds);
    if (open) open = TakeOutput(source, run.max_output, output);
    idle();
  }
  if (open) TakeOutput(source, run.max_output, output);
  return false;
}

}  // namespace

std::string ProgramEnd::Text(std::chrono::milliseconds limit) const {
  if (timed_out) {
    return fmt::format("was stopped after {} s", std::chrono::duration<double>(limit).count());
  }
  if (signaled) return fmt::format("was killed by signal {} ({})", code, ::strsignal(code));
  return fmt::format("exited with status {}", code);
}

bool ProgramEnd::KilledByOthers() const { return signaled && !timed_out && SentByOthers(code); }

bool ProgramEnd::UsedUpItsTime() const { return signaled && !timed_out && code == SIGXCPU; }

Result<ProgramEnd> RunProgram(const ProgramRun& run, const std::function<void()>& idle) try {
  process::pipe pipe;
  ::fcntl(pipe.native_source(), F_SETFD, FD_CLOEXEC);
  process::group group;
  process::child child(process::exe = run.program.string(), process::args = run.arguments,
                       process::env = EnvironmentOf(run),
                       process::std_in<process::null, (process::std_out & process::std_err)> pipe,
                       group, DieWithParent(), LimitCpuTime(run.cpu_limit));
  ::close(pipe.native_sink());  // so that reading ends when the last writer does
  pipe.assign_sink(-1);
  ::fcntl(pipe.native_source(), F_SETFL, O_NONBLOCK);
  ProgramEnd end;
  end.timed_out =
      WatchUntil(Clock::now() + run.limit, child.id(), pipe.native_source(), run, end.output, idle);
  std::error_code none_left;
  group.terminate(none_left);
  int status = 0;
  rusage usage = {};
  while (::wait4(child.id(), &status, 0, &usage) < 0 && errno == EINTR) {
  }
  child.detach();
  end.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  end.signaled = WIFSIGNALED(status);
  end.code = end.signaled ? WTERMSIG(status) : WEXITSTATUS(status);
  return end;
} catch (const std::system_error& error) {
  return Fail(fmt::format("cannot run {}: {}", run.program.string(), error.code().message()));
}

}  // namespace warpcheck

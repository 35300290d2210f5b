#include "process/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/close_range.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/process/child.hpp>
#include <boost/process/env.hpp>
#include <boost/process/environment.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <cerrno>
#include <system_error>
#include <thread>

#include "base/descriptor.h"
#include "base/signals.h"

namespace warpcheck {
namespace {

namespace process = boost::process;

constexpr int kCount = 4;  // the number of descriptors of a child

// The descriptors of a child before it is started. They are duplicated to numbers from kCount on,
// so that dup2() in the child does not overwrite one that is still needed.
class Streams {
 public:
  explicit Streams(const ChildCommand& command) {
    const std::array<int, kCount> wanted = {command.input, command.output, command.errors,
                                            command.third};
    const Descriptor null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    for (std::size_t i = 0; i < kCount; ++i) {
      const bool absent = wanted[i] < 0 && (command.foreground != nullptr || i == kCount - 1);
      if (absent) continue;
      ends_[i] =
          Descriptor(::fcntl(wanted[i] < 0 ? null.get() : wanted[i], F_DUPFD_CLOEXEC, kCount));
      if (ends_[i].get() < 0) throw std::system_error(errno, std::generic_category());
    }
  }
  // Moves the descriptors to their places. Called in the child.
  void Place() const {
    for (std::size_t i = 0; i < kCount; ++i) {
      if (ends_[i].get() >= 0) ::dup2(ends_[i].get(), static_cast<int>(i));
    }
  }

 private:
  std::array<Descriptor, kCount> ends_;
};

// Prepares the child between fork and exec; only system calls are safe there.
struct Setup : process::extend::handler {
  Setup(const ChildCommand& its, const Streams& its_streams, const GroupGuard* its_guard,
        char* const* its_line)
      : command(its), streams(its_streams), guard(its_guard), line(its_line) {}

  template <class Executor>
  void on_exec_setup(Executor& executor) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(kNotStarted);  // the parent died before the call above
    if (guard != nullptr) {
      ::setpgid(0, 0);
      if (!guard->StartInLeader()) ::_exit(kNotStarted);
    }
    streams.Place();
    const rlimit limit = {.rlim_cur = static_cast<rlim_t>(command.cpu_limit.count()),
                          .rlim_max = RLIM_INFINITY};
    if (limit.rlim_cur > 0) ::setrlimit(RLIMIT_CPU, &limit);
    if (command.foreground == nullptr) {
      ::close_range(kCount, ~0U, CLOSE_RANGE_CLOEXEC);
      for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) {
        ::signal(number, SIG_DFL);
      }
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, command.foreground == nullptr ? &none : command.foreground, nullptr);
    executor.cmd_line = line;
  }

  static constexpr int kNotStarted = 127;
  const ChildCommand& command;
  const Streams& streams;
  const GroupGuard* guard;  // null for a child in this process's group
  char* const* line;
  pid_t parent = ::getpid();
};

process::environment EnvironmentOf(const ChildCommand& command) {
  process::environment environment = boost::this_process::environment();
  std::vector<std::string> foreign;
  for (const auto& entry : environment) {
    if (!command.without.empty() && entry.get_name().starts_with(command.without)) {
      foreign.push_back(entry.get_name());
    }
  }
  for (const std::string& name : foreign) environment.erase(name);
  for (const std::string& entry : command.environment) {
    const std::size_t equals = entry.find('=');
    environment[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return environment;
}

}  // namespace

std::string ChildEnd::Text() const {
  return signaled ? "was killed by " + SignalText(code)
                  : fmt::format("exited with status {}", code);
}

bool ChildEnd::KilledByOthers() const { return signaled && SentByOthers(code); }

Result<std::unique_ptr<ChildProcess>> ChildProcess::Start(const ChildCommand& command) try {
  std::vector<std::string> words = {command.name.empty() ? command.program.string() : command.name};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<char*> line;
  for (std::string& word : words) line.push_back(word.data());
  line.push_back(nullptr);
  const Streams streams(command);
  std::optional<GroupGuard> guard;
  if (command.foreground == nullptr) guard = WARPCHECK_TRY(GroupGuard::Make());
  process::child child(process::exe = command.program.string(),
                       process::env = EnvironmentOf(command),
                       Setup(command, streams, guard ? &*guard : nullptr, line.data()));
  const pid_t pid = child.id();
  child.detach();  // Boost must not reap it, because this class does
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, std::move(guard)));
} catch (const std::system_error& error) {
  return Fail(fmt::format("cannot run {}: {}", command.program.string(), error.code().message()));
}

ChildProcess::~ChildProcess() { Kill(); }

bool ChildProcess::HasEnded() const {
  siginfo_t info = {};
  return waited_for_ ||
         (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
          info.si_pid == pid_);
}

bool ChildProcess::AwaitEnd(std::chrono::milliseconds patience) const {
  constexpr std::chrono::milliseconds kStep{1};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!HasEnded()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(kStep);
  }
  return true;
}

ChildEnd ChildProcess::Wait() {
  if (waited_for_) return end_;
  siginfo_t info = {};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  if (guard_) ::kill(-pid_, SIGKILL);
  int status = 0;
  rusage usage = {};
  while (::wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  waited_for_ = true;
  end_.signaled = WIFSIGNALED(status);
  end_.code = end_.signaled ? WTERMSIG(status) : WEXITSTATUS(status);
  end_.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return end_;
}

ChildEnd ChildProcess::Kill() {
  if (!waited_for_) ::kill(guard_ ? -pid_ : pid_, SIGKILL);
  return Wait();
}

}  // namespace warpcheck

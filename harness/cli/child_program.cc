#include "cli/child_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace warpcheck {
namespace {

// Ctrl-C and Ctrl-\ come from the terminal, to the child as well; the others to us alone.
constexpr std::array<int, 4> kSignals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

volatile pid_t running_child = 0;  // a signal handler reaches nothing but globals

void HandOn(int signal) {
  const pid_t child = running_child;
  if (child > 0 && (signal == SIGTERM || signal == SIGHUP)) ::kill(child, signal);
}

// Handles signals while it lives. Handlers, and not SIG_IGN, so that the child starts with the
// actions that we were started with.
class Signals {
 public:
  Signals() {
    // They wait until there is a child to hand them on to.
    sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : kSignals) ::sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &mask_);
    struct sigaction action = {};
    action.sa_handler = HandOn;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
  }
  ~Signals() {
    Release();
    running_child = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], &before_[i], nullptr);
    }
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  void Release() const { ::sigprocmask(SIG_SETMASK, &mask_, nullptr); }

 private:
  sigset_t mask_ = {};
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> EnvironmentWith(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const std::string& variable : variables) {
      replaced = replaced || (variable.starts_with(name) && variable[name.size()] == '=');
    }
    if (!replaced) all.emplace_back(text);
  }
  return all;
}

// In the child: its error comes back through `report`, which closes when the program starts.
[[noreturn]] void Exec(const char* program, char** arguments, char** environment, int report,
                       pid_t parent, const Signals& signals) {
  signals.Release();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == parent) ::execve(program, arguments, environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written = ::write(report, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

Result<ChildEnd> RunInForeground(const std::filesystem::path& program,
                                 const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& variables) {
  std::vector<std::string> words = arguments;
  std::vector<std::string> environment = EnvironmentWith(variables);
  std::vector<char*> argv = Pointers(words);
  std::vector<char*> envp = Pointers(environment);
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) {
    return Fail(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  const Signals signals;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) Exec(program.c_str(), argv.data(), envp.data(), report[1], parent, signals);
  const int fork_error = errno;
  ::close(report[1]);
  if (child < 0) {
    ::close(report[0]);
    return Fail(fmt::format("cannot start a process: {}", std::strerror(fork_error)));
  }
  running_child = child;
  signals.Release();
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(report[0], &error, sizeof error)) < 0 && errno == EINTR) continue;
  ::close(report[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (got == sizeof error) {
    return Fail(fmt::format("cannot run {}: {}", program.string(), std::strerror(error)));
  }
  if (WIFSIGNALED(status)) return ChildEnd{.signaled = true, .code = WTERMSIG(status)};
  return ChildEnd{.signaled = false, .code = WEXITSTATUS(status)};
}

int EndLike(const ChildEnd& end) {
  if (!end.signaled) return end.code;
  const struct rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(end.code, SIG_DFL);
  ::raise(end.code);
  return 128 + end.code;  // a signal that we cannot die of
}

}  // namespace warpcheck

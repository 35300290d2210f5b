#include "cli/run/child_program.h"

#include <sys/resource.h>

#include <array>
#include <csignal>
#include <cstddef>

namespace warpcheck {
namespace {

// The terminal sends SIGINT (Ctrl-C) and SIGQUIT (Ctrl-\) to the child too. The other two signals
// reach only this process.
constexpr std::array<int, 4> kSignals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

// A global variable, because a signal handler has no other way to reach it.
volatile pid_t running_child = 0;

void Forward(int signal) {
  const pid_t child = running_child;
  if (child > 0 && (signal == SIGTERM || signal == SIGHUP)) ::kill(child, signal);
}

// Handles the signals as long as the object lives. It sets handlers instead of SIG_IGN, because the
// child would inherit SIG_IGN.
class Signals {
 public:
  Signals() {
    // Blocks the signals until there is a child to forward them to.
    sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : kSignals) ::sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &mask_);
    struct sigaction action = {};
    action.sa_handler = Forward;
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

  // Returns the mask of signals that were blocked before.
  const sigset_t& before() const { return mask_; }
  void Release() const { ::sigprocmask(SIG_SETMASK, &mask_, nullptr); }

 private:
  sigset_t mask_ = {};
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

}  // namespace

Result<ChildEnd> RunInForeground(const std::filesystem::path& program,
                                 const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& variables) {
  const Signals signals;
  const auto child = ChildProcess::Start({.program = program,
                                          .arguments = {arguments.begin() + 1, arguments.end()},
                                          .name = arguments.front(),
                                          .environment = variables,
                                          .foreground = &signals.before()});
  if (!child) return Fail(child.error());
  running_child = (*child)->pid();
  signals.Release();
  return (*child)->Wait();
}

int EndLike(const ChildEnd& end) {
  if (!end.signaled) return end.code;
  const struct rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(end.code, SIG_DFL);
  ::raise(end.code);
  return 128 + end.code;  // the signal did not end this process
}

}  // namespace warpcheck

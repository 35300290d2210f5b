#include "cli/child_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

namespace warpcheck {

namespace {

constexpr std::array<int, 3> kStopSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr int kExitInterrupted = 130;

// A signal handler reaches nothing but globals.
int interrupt_pipe = -1;
volatile std::sig_atomic_t stop_signal = 0;

void OnSignal(int) {
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = ::write(interrupt_pipe, &byte, 1);
}

void OnStop(int signal) { stop_signal = signal; }

// Waits for a signal in a thread: only there is it safe to remove files. One for the process, since
// one folder comes after the other.
class Watcher {
 public:
  static Result<Watcher*> Get() {
    static Watcher& watcher = *new Watcher;  // its thread outlives main
    if (interrupt_pipe < 0) {
      WARPCHECK_TRY(watcher.Start());
    }
    return &watcher;
  }

  // Its own exec'd children get the default signal actions back.
  void Watch(const std::filesystem::path& folder, std::function<void()> at_interrupt) {
    const std::lock_guard lock(mutex_);
    folder_ = folder;
    at_interrupt_ = std::move(at_interrupt);
    struct sigaction action = {};
    action.sa_handler = OnSignal;
    action.sa_flags = SA_RESTART;
    for (const int signal : kStopSignals) ::sigaction(signal, &action, nullptr);
  }

  void Forget() {
    const std::lock_guard lock(mutex_);
    for (const int signal : kStopSignals) std::signal(signal, SIG_DFL);
    folder_.clear();
  }

 private:
  Result<> Start() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return Fail(fmt::format("no pipe: {}", std::strerror(errno)));
    interrupt_pipe = ends[1];
    std::thread([this, source = ends[0]] { WaitOn(source); }).detach();
    return {};
  }

  void WaitOn(int source) {
    char byte;
    ssize_t got;
    while ((got = ::read(source, &byte, 1)) < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    const std::lock_guard lock(mutex_);
    std::error_code error;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
    if (at_interrupt_) at_interrupt_();
    ::_exit(kExitInterrupted);
  }

  std::mutex mutex_;
  std::filesystem::path folder_;
  std::function<void()> at_interrupt_;
};

}  // namespace

Result<std::unique_ptr<EndsAtInterrupt>> EndsAtInterrupt::Make(const std::filesystem::path& folder,
                                                               std::function<void()> last) {
  const auto watcher = WARPCHECK_TRY(Watcher::Get());
  watcher->Watch(folder, std::move(last));
  return std::unique_ptr<EndsAtInterrupt>(new EndsAtInterrupt);
}

EndsAtInterrupt::~EndsAtInterrupt() {
  if (const auto watcher = Watcher::Get()) (*watcher)->Forget();
}

void WatchForStop() {
  struct sigaction action = {};
  action.sa_handler = OnStop;
  for (const int signal : kStopSignals) ::sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

int StopSignal() { return stop_signal; }

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

  // Which signals were blocked.
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
  return 128 + end.code;  // a signal that we cannot die of
}

}  // namespace warpcheck

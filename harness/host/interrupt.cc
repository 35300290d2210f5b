#include "host/interrupt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

namespace warpcheck {
namespace {

constexpr std::array<int, 3> kInterrupts = {SIGINT, SIGTERM, SIGHUP};
constexpr int kExitInterrupted = 130;

// A global variable, because a signal handler has no other way to reach it.
int interrupt_pipe = -1;

void OnSignal(int) {
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = ::write(interrupt_pipe, &byte, 1);
}

// Waits for a signal in a thread of its own, because a signal handler must not remove files. The
// process has one such object, which watches one folder after the other.
class Watcher {
 public:
  static Result<Watcher*> Get() {
    static Watcher& watcher = *new Watcher;  // the thread continues after main() has returned
    if (interrupt_pipe < 0) {
      WARPCHECK_TRY(watcher.Start());
    }
    return &watcher;
  }

  // Programs that are started meanwhile get the default actions for these signals.
  void Watch(const std::filesystem::path& folder, std::function<void()> at_interrupt) {
    const std::lock_guard lock(mutex_);
    folder_ = folder;
    at_interrupt_ = std::move(at_interrupt);
    struct sigaction action = {};
    action.sa_handler = OnSignal;
    action.sa_flags = SA_RESTART;
    for (const int signal : kInterrupts) ::sigaction(signal, &action, nullptr);
  }

  void Forget() {
    const std::lock_guard lock(mutex_);
    for (const int signal : kInterrupts) std::signal(signal, SIG_DFL);
    folder_.clear();
  }

 private:
  Result<> Start() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      return Fail(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
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

}  // namespace warpcheck

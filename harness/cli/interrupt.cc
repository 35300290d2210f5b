#include "cli/interrupt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace warpcheck {
namespace {

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};
constexpr int kExitInterrupted = 130;

int interrupt_pipe = -1;  // a signal handler reaches nothing but globals

void OnSignal(int) {
  const char byte = 0;
  [[maybe_unused]] const ssize_t written = ::write(interrupt_pipe, &byte, 1);
}

// Waits for a signal in a thread: only there is it safe to remove files. One for the process, since
// one folder comes after the other.
class Watcher {
 public:
  static Result<Watcher*> Get() {
    static Watcher& watcher = *new Watcher;  // its thread outlives main
    if (interrupt_pipe < 0) {
      if (auto started = watcher.Start(); !started) return Fail(started.error());
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
    for (const int signal : kSignals) ::sigaction(signal, &action, nullptr);
  }

  void Forget() {
    const std::lock_guard lock(mutex_);
    for (const int signal : kSignals) std::signal(signal, SIG_DFL);
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

Result<ScratchFolder> ScratchFolder::Make(std::function<void()> at_interrupt) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string path = (parent / "warpcheck.XXXXXX").string();
  if (error || ::mkdtemp(path.data()) == nullptr) {
    return Fail(fmt::format("cannot make a temporary folder in {}", parent.string()), {},
                "set TMPDIR to a folder that can be written");
  }
  ScratchFolder folder{std::filesystem::path(path)};
  const auto watcher = Watcher::Get();
  if (!watcher) return Fail(watcher.error());
  (*watcher)->Watch(folder.path_, std::move(at_interrupt));
  return folder;
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  if (const auto watcher = Watcher::Get()) (*watcher)->Forget();
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace warpcheck

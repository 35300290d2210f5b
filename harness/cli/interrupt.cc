#include "cli/interrupt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
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

// Waits for a signal in a thread: only there is it safe to remove files. Its own exec'd children
// get the default signal actions back.
Result<> WatchSignals(const std::filesystem::path& folder, std::function<void()> at_interrupt) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Fail(fmt::format("no pipe: {}", std::strerror(errno)));
  interrupt_pipe = ends[1];
  std::thread([folder, source = ends[0], at_interrupt = std::move(at_interrupt)] {
    char byte;
    ssize_t got;
    while ((got = ::read(source, &byte, 1)) < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    std::error_code error;
    std::filesystem::remove_all(folder, error);
    at_interrupt();
    ::_exit(kExitInterrupted);
  }).detach();
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;
  for (const int signal : kSignals) ::sigaction(signal, &action, nullptr);
  return {};
}

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
  if (const auto watching = WatchSignals(folder.path_, std::move(at_interrupt)); !watching)
    return Fail(watching.error());
  return folder;
}

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace warpcheck

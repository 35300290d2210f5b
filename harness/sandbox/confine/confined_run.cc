#include "sandbox/confine/confined_run.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <new>

#include "base/descriptor.h"
#include "base/signals.h"
#include "sandbox/child.h"

namespace warpcheck::sandbox {
namespace {

constexpr int kMaxTries = 3;

// The exit status of a child that has written its result, or the reason why there is no result.
enum Status : int { kDone = 0, kFailed = 1, kOutOfMemory = 2 };

struct Ended {
  int status = 0;  // the status from waitpid
  std::string written;
  bool too_much = false;
};

// Returns the descriptors above standard error, in ascending order.
std::vector<int> Numbers(std::vector<int> descriptors, int one_more) {
  descriptors.push_back(one_more);
  std::erase_if(descriptors, [](int fd) { return fd <= STDERR_FILENO; });
  std::ranges::sort(descriptors);
  return descriptors;
}

// Closes all descriptors except these and the standard ones. A kernel before Linux 5.9 leaves all
// descriptors open.
void CloseAllBut(const std::vector<int>& kept) {
  unsigned from = STDERR_FILENO + 1;
  for (const int fd : kept) {
    const auto number = static_cast<unsigned>(fd);
    if (number > from) ::syscall(SYS_close_range, from, number - 1, 0);
    from = std::max(from, number + 1);
  }
  ::syscall(SYS_close_range, from, ~0U, 0);
}

int LimitCpu(std::chrono::seconds limit) {
  const auto seconds = static_cast<rlim_t>(limit.count());
  const rlimit cpu = {.rlim_cur = seconds, .rlim_max = seconds + 5};
  return ::setrlimit(RLIMIT_CPU, &cpu);
}

Status Work(const ConfinedRun& run, int output, const std::function<std::string()>& work) {
  try {
    if (LimitCpu(run.cpu_limit) != 0) return kFailed;
    if (const auto confined = Confine(run.confinement); !confined) {
      WriteAll(output, "cannot be read safely: " + confined.error().message);
      return kFailed;
    }
    return WriteAll(output, work()) ? kDone : kFailed;
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  } catch (const std::exception& exception) {
    WriteAll(output, exception.what());
    return kFailed;
  }
}

[[noreturn]] void RunChild(const ConfinedRun& run, int output, pid_t parent,
                           const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kFailed);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE}) ::signal(signal, SIG_DFL);
  CloseAllBut(Numbers(run.kept, output));
  ::_exit(Work(run, output, work));
}

void ReadAll(int fd, std::size_t most, Ended& ended) {
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    ended.written.append(block.data(), static_cast<std::size_t>(got));
    if (ended.written.size() > most) {
      ended.too_much = true;
      return;
    }
  }
}

Result<Ended> RunOnce(const ConfinedRun& run, const std::function<std::string()>& work) {
  auto pipe = MakePipe();
  if (!pipe) return SystemFailure("make a pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return SystemFailure("start a process");
  if (child == 0) RunChild(run, pipe->sink.get(), parent, work);
  pipe->sink.Close();
  Ended ended;
  ReadAll(pipe->source.get(), run.max_result, ended);
  if (ended.too_much) ::kill(child, SIGKILL);
  while (::waitpid(child, &ended.status, 0) < 0 && errno == EINTR) {
  }
  return ended;
}

bool KilledByOthers(const Ended& ended) {
  return !ended.too_much && WIFSIGNALED(ended.status) &&
         (WTERMSIG(ended.status) == SIGKILL || WTERMSIG(ended.status) == SIGTERM);
}

Result<std::string> ResultOf(Ended ended, const ConfinedRun& run) {
  if (ended.too_much) {
    return Fail(fmt::format("makes a result of more than {} bytes", run.max_result));
  }
  if (WIFSIGNALED(ended.status)) {
    const int signal = WTERMSIG(ended.status);
    if (signal == SIGXCPU) {
      return Fail(fmt::format("takes more than {} s of processor time", run.cpu_limit.count()));
    }
    return Fail(fmt::format("crashes the program that reads it: {}", SignalText(signal)));
  }
  switch (WEXITSTATUS(ended.status)) {
    case kDone:
      return std::move(ended.written);
    case kOutOfMemory:
      return Fail(
          fmt::format("needs more than {} MiB of memory", run.confinement.memory_bytes >> 20));
    default:
      return Fail(ended.written.empty() ? "cannot be read" : ended.written);
  }
}

}  // namespace

Result<std::string> RunConfined(const ConfinedRun& run, const std::function<std::string()>& work) {
  for (int tries = 1;; ++tries) {
    auto ended = WARPCHECK_TRY(RunOnce(run, work));
    if (tries == kMaxTries || !KilledByOthers(ended)) return ResultOf(std::move(ended), run);
  }
}

}  // namespace warpcheck::sandbox

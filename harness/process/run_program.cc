#include "process/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/descriptor.h"

namespace warpcheck {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPollMilliseconds = 50;
// Used after the output is closed, because most programs end then.
constexpr int kEndMilliseconds = 1;

// Reads the available output without waiting. Returns false if no more output will come.
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

// Watches the child until it ends. Returns true if the deadline passed first.
bool WatchUntil(Clock::time_point deadline, const ChildProcess& child, int source,
                const ProgramRun& run, std::string& output, const std::function<void()>& idle) {
  bool open = true;
  while (!child.HasEnded()) {
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
  if (!timed_out) return child.Text();
  return fmt::format("was stopped after {} s", std::chrono::duration<double>(limit).count());
}

bool ProgramEnd::UsedUpItsTime() const {
  return child.signaled && !timed_out && child.code == SIGXCPU;
}

Result<ProgramEnd> RunProgram(const ProgramRun& run, const std::function<void()>& idle) {
  auto pipe = MakePipe();
  if (!pipe) return Fail(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  const auto child = WARPCHECK_TRY(ChildProcess::Start({.program = run.program,
                                                        .arguments = run.arguments,
                                                        .environment = run.environment,
                                                        .without = "GTEST_",
                                                        .cpu_limit = run.cpu_limit,
                                                        .output = pipe->sink.get(),
                                                        .errors = pipe->sink.get()}));
  pipe->sink.Close();  // closed, so that reading ends when the last writer ends
  ::fcntl(pipe->source.get(), F_SETFL, O_NONBLOCK);
  ProgramEnd end;
  end.timed_out =
      WatchUntil(Clock::now() + run.limit, *child, pipe->source.get(), run, end.output, idle);
  end.child = child->Kill();
  return end;
}

}  // namespace warpcheck

#include "sandbox/monitor.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/signals.h"
#include "sandbox/call_filter.h"
#include "sandbox/child.h"
#include "sandbox/watchdog.h"

namespace warpcheck::sandbox {
namespace {

constexpr std::chrono::seconds kSupervisorTimeout{1};

// Returns true if the program failed because of lack of memory: its error text says so, or it was
// close to its limit.
bool DiedOfMemory(const Ending& ending, const Limits& limits) {
  if (ending.cause == Cause::kExited && ending.exit_code == 0) return false;
  if (ending.peak_memory_bytes >= limits.memory_bytes / 8 * 7) return true;
  for (const char* phrase : {"std::bad_alloc", "out of memory", "memory exhausted",
                             "Cannot allocate memory", "insufficient memory"}) {
    if (ending.stderr_text.find(phrase) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<Process>> Monitor::Start(LaunchPlan plan) {
  Descriptor wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (wake.get() < 0) return SystemFailure("make an event");
  auto monitor = std::make_unique<Monitor>(std::move(plan), std::move(wake));
  std::unique_lock lock(monitor->mutex_);
  monitor->changed_.wait(lock, [&] { return monitor->state_ != State::kStarting; });
  if (monitor->state_ == State::kFailed) return Fail(monitor->failure_);
  lock.unlock();
  return monitor;
}

Monitor::Monitor(LaunchPlan plan, Descriptor wake)
    : plan_(std::move(plan)), wake_(std::move(wake)), start_(Clock::now()) {
  thread_ = std::thread([this] { Live(); });
}

Monitor::~Monitor() {
  Stop();
  thread_.join();
}

const Ending& Monitor::Wait() {
  Watchdog attendant(*this, plan_.command.limits);
  for (Clock::time_point asked = Clock::now(); !EndsWithin(Watchdog::kInterval);) {
    const Clock::time_point now = Clock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(now - asked);
    asked = now;
    if (!attendant.GoOn({.passed = passed, .quiet = passed})) return End(attendant.cause());
  }
  return ending_;
}

bool Monitor::EndsWithin(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [&] { return Over(); });
}

std::optional<Activity> Monitor::Look() {
  std::unique_lock lock(mutex_);
  requests_.look = true;
  activity_.reset();
  ::eventfd_write(wake_.get(), 1);
  changed_.wait_for(lock, kSupervisorTimeout, [&] { return activity_ || Over(); });
  return std::exchange(activity_, {});
}

const Ending& Monitor::End(Cause cause) {
  std::unique_lock lock(mutex_);
  if (!requests_.end) requests_.end = cause;
  ::eventfd_write(wake_.get(), 1);
  changed_.wait(lock, [&] { return Over(); });
  return ending_;
}

void Monitor::Enter(State state) {
  const std::lock_guard lock(mutex_);
  state_ = state;
  changed_.notify_all();
}

void Monitor::EndFor(Cause cause) {
  if (!cause_) cause_ = cause;
}

void Monitor::Live() {
  auto process = Launch(plan_);
  if (!process) {
    failure_ = process.error();
    Enter(State::kFailed);
    return;
  }
  Enter(State::kRunning);
  Watch(*process);
  Reap(*process);
  Enter(State::kEnded);
}

void Monitor::Watch(Launched& process) {
  while (!cause_) {
    pollfd waits[] = {{.fd = process.control.get(), .events = POLLIN, .revents = 0},
                      {.fd = process.output.get(), .events = POLLIN, .revents = 0},
                      {.fd = process.errors.get(), .events = POLLIN, .revents = 0},
                      {.fd = wake_.get(), .events = POLLIN, .revents = 0}};
    if (::poll(waits, 4, -1) < 0) continue;  // a signal interrupted the call
    if (waits[1].revents != 0) TakeOutput(process.output.get(), ending_.stdout_text);
    if (waits[2].revents != 0) TakeOutput(process.errors.get(), ending_.stderr_text);
    if (waits[1].revents == POLLHUP) process.output.Close();
    if (waits[2].revents == POLLHUP) process.errors.Close();
    if (waits[0].revents != 0 && !TakeReports(process.control.get())) return;
    if (output_over_) EndFor(Cause::kOutput);
    if (waits[3].revents != 0) TakeWishes(process.control.get());
  }
}

void Monitor::TakeWishes(int control) {
  eventfd_t ignored = 0;
  ::eventfd_read(wake_.get(), &ignored);
  const std::lock_guard lock(mutex_);
  const Requests wishes = std::exchange(requests_, {});
  if (wishes.end) EndFor(*wishes.end);
  if (!wishes.look) return;
  const SupervisorQuestion question = {.number = ++asked_};
  ::send(control, &question, sizeof question, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Monitor::TakeActivity(const SupervisorReport& report) {
  const std::lock_guard lock(mutex_);
  // This answer is late, because another question was asked meanwhile.
  if (report.value != asked_) return;
  activity_ = {.ran = std::chrono::microseconds(report.cpu_microseconds),
               .queued = std::chrono::microseconds(report.queued_microseconds),
               .awake = report.awake != 0};
  changed_.notify_all();
}

// Returns false when the supervisor has ended or has sent its last report.
bool Monitor::TakeReports(int control) {
  SupervisorReport report;
  const ssize_t got = ::recv(control, &report, sizeof report, 0);
  if (got != sizeof report) return false;
  TakeReport(report);
  return !ended_;
}

void Monitor::TakeReport(const SupervisorReport& report) {
  ending_.peak_memory_bytes = std::max(ending_.peak_memory_bytes, report.peak_memory_bytes);
  switch (report.event) {
    case SupervisorEvent::kStarted:
      started_ = true;
      break;
    case SupervisorEvent::kNotStarted:
      ending_.stderr_text += fmt::format("cannot execute {}: {}", plan_.command.arguments[0],
                                         std::strerror(report.value));
      EndFor(Cause::kSandboxFault);
      break;
    case SupervisorEvent::kEnded:
      ended_ = report;
      break;
    case SupervisorEvent::kCpuTime:
      EndFor(Cause::kCpuTime);
      break;
    case SupervisorEvent::kMemory:
      EndFor(Cause::kMemory);
      break;
    case SupervisorEvent::kProcesses:
      EndFor(Cause::kProcesses);
      break;
    case SupervisorEvent::kActivity:
      TakeActivity(report);
      break;
    case SupervisorEvent::kForbiddenCall:
      ending_.forbidden_call = CallName(report.value);
      EndFor(Cause::kForbiddenCall);
      break;
  }
}

// Closes the socket, which ends the supervisor and all its processes; kills the process if it still
// runs.
void Monitor::Reap(Launched& process) {
  process.control.Close();
  AwaitEnd(process.process.get());
  int status = 0;
  while (process.child >= 0 && ::waitpid(process.child, &status, 0) < 0 && errno == EINTR) {
  }
  TakeOutput(process.output.get(), ending_.stdout_text);
  TakeOutput(process.errors.get(), ending_.stderr_text);
  using std::chrono::milliseconds;
  ending_.wall_time = std::chrono::duration_cast<milliseconds>(Clock::now() - start_);
  const std::chrono::microseconds cpu(ended_ ? ended_->cpu_microseconds : 0);
  ending_.cpu_time = std::chrono::duration_cast<milliseconds>(cpu);
  Decide(status);
}

void Monitor::TakeOutput(int fd, std::string& text) {
  char buffer[1 << 14];
  ssize_t got;
  while (fd >= 0 && !output_over_ && (got = ::read(fd, buffer, sizeof buffer)) > 0) {
    const std::uint64_t used = ending_.stdout_text.size() + ending_.stderr_text.size();
    const std::uint64_t room = plan_.command.limits.output_bytes - used;
    const auto size = static_cast<std::uint64_t>(got);
    text.append(buffer, static_cast<std::size_t>(std::min(room, size)));
    output_over_ = size > room;
  }
}

void Monitor::Decide(int launcher_status) {
  if (cause_) {
    ending_.cause = *cause_;
    return;
  }
  if (!ended_ && plan_.fork_server != nullptr && !plan_.fork_server->alive()) {
    ending_.cause = Cause::kSandboxFault;
    ending_.stderr_text = "the first process of the sandbox has ended";
    return;
  }
  if (!started_) {
    ending_.cause = Cause::kSandboxFault;
    ending_.exit_code = WIFEXITED(launcher_status) ? WEXITSTATUS(launcher_status) : 0;
    return;
  }
  if (output_over_) {
    ending_.cause = Cause::kOutput;
    return;
  }
  // If a supervisor ends without a report, it was killed, and its processes with it.
  const int status = ended_ ? ended_->value : SIGKILL;
  if (WIFEXITED(status)) {
    ending_.cause = Cause::kExited;
    ending_.exit_code = WEXITSTATUS(status);
  } else {
    DecideBySignal(WTERMSIG(status));
  }
  const bool plain = ending_.cause == Cause::kExited || ending_.cause == Cause::kSignaled ||
                     ending_.cause == Cause::kKilled;
  if (plain && DiedOfMemory(ending_, plan_.command.limits)) ending_.cause = Cause::kMemory;
}

void Monitor::DecideBySignal(int signal) {
  ending_.cause = Cause::kSignaled;
  ending_.signal = signal;
  // Only other processes can kill a supervisor. This is also true of a program that may not send
  // this signal itself.
  const bool filtered = plan_.command.calls != Calls::kAll;
  if (signal == SIGKILL && (filtered || !ended_)) ending_.cause = Cause::kKilled;
  const auto cpu = std::chrono::microseconds(ended_ ? ended_->cpu_microseconds : 0);
  // The kernel's count for the limit and the time that it reports differ by ticks, and on a busy
  // machine by many. Therefore, if half of the time is used, the signal counts as coming from the
  // limit.
  const bool used_up = 2 * cpu >= plan_.command.limits.cpu_time;
  if (used_up && (signal == SIGXCPU || signal == SIGKILL)) ending_.cause = Cause::kCpuTime;
  if (signal == SIGXFSZ) ending_.cause = Cause::kFileSize;
  // If the supervisor cannot be notified of a forbidden call, the kernel ends the program
  // (call_filter.h).
  if (signal == SIGSYS && filtered) ending_.cause = Cause::kForbiddenCall;
}

}  // namespace warpcheck::sandbox

#include "sandbox/sandbox.h"

#include <fmt/format.h>

#include "base/signals.h"

namespace warpcheck::sandbox {
namespace {

std::string Bytes(std::uint64_t bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB"};
  int unit = 0;
  while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

std::string Time(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{} s", time.count() / 1000)
                                  : fmt::format("{} ms", time.count());
}

}  // namespace

std::string Ending::Text(const Limits& limits) const {
  switch (cause) {
    case Cause::kExited:
      return fmt::format("exited with status {}", exit_code);
    case Cause::kSignaled:
      return "killed by " + SignalText(signal);
    case Cause::kCpuTime:
      return fmt::format("used more than {} of CPU time", Time(limits.cpu_time));
    case Cause::kIdle:
      return fmt::format("waited longer than {} for something that never came",
                         Time(limits.idle_time));
    case Cause::kTooBusy:
      return fmt::format("did not end within {}: the machine was too busy to let it run",
                         Time(limits.wall_time));
    case Cause::kKilled:
      return "was killed from outside, by " + SignalText(signal);
    case Cause::kMemory:
      return fmt::format("used more than {} of memory", Bytes(limits.memory_bytes));
    case Cause::kProcesses:
      return fmt::format("started more than {} processes and threads", limits.processes);
    case Cause::kFileSize:
      return "wrote a file larger than " + Bytes(limits.file_bytes);
    case Cause::kOutput:
      return fmt::format("printed more than {}", Bytes(limits.output_bytes));
    case Cause::kForbiddenCall:
      return "used a system call that is not allowed" +
             (forbidden_call.empty() ? "" : ": " + forbidden_call);
    case Cause::kStopped:
      return "was stopped";
    case Cause::kSandboxFault:
      break;
  }
  const std::string line = stderr_text.substr(0, stderr_text.find('\n'));
  return "could not be started in the sandbox" + (line.empty() ? "" : ": " + line);
}

bool IsMachineFault(Cause cause) {
  return cause == Cause::kTooBusy || cause == Cause::kKilled || cause == Cause::kSandboxFault;
}

Result<Ending> Sandbox::Run(const Command& command) {
  auto process = WARPCHECK_TRY(Start(command));
  return process->Wait();
}

}  // namespace warpcheck::sandbox

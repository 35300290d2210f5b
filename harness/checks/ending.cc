#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "checks/text.h"
#include "checks/trial_matchers.h"

namespace warpcheck {
namespace {

using remote::CallEnd;
using sandbox::Cause;

Charge ErrorCharge(std::string message, std::string hint = {}) {
  return Charged(Verdict::kError, std::move(message), std::move(hint));
}

// The end of what the host wrote to stderr, where its runtime explains a crash.
std::string LastWords(const std::string& stderr_text) {
  constexpr std::size_t kBytes = 400;
  std::string text = stderr_text.substr(stderr_text.size() - std::min(stderr_text.size(), kBytes));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? text : "\nit last wrote: " + text;
}

Charge ForDisconnected(const Trial& trial) {
  const sandbox::Ending& ending = trial.ending;
  const std::string words = LastWords(ending.stderr_text);
  switch (ending.cause) {
    case Cause::kExited:
      return ErrorCharge(fmt::format("{} ended the program (exit status {}) instead of returning{}",
                                     trial.function, ending.exit_code, words),
                         "return from the function; do not call exit()");
    case Cause::kSignaled:
      return ErrorCharge(
          fmt::format("{} crashed on the host: it was {}{}", trial.function,
                      ending.Text(trial.limits), words),
          ending.signal == SIGSEGV
              ? "device pointers cannot be read or written in host code, only in kernels"
              : "");
    default:
      return ErrorCharge(
          fmt::format("{} was stopped: it {}{}", trial.function, ending.Text(trial.limits), words));
  }
}

Charge ForEnd(const Trial& trial) {
  const std::string& text = trial.outcome.text;
  switch (trial.outcome.end) {
    case CallEnd::kNoSuchFunction:
      return ErrorCharge(
          text.empty() ? trial.signature + " is not defined" : text,
          "name, parameter types and their order have to be those of the assignment's header");
    case CallEnd::kException:
      return ErrorCharge(fmt::format("an exception left {}: {}", trial.function, text));
    case CallEnd::kLoadFailed:
      return ErrorCharge("the submission cannot be loaded: " + text,
                         "only the CUDA runtime is available, no other library");
    case CallEnd::kProtocolError:
      return ErrorCharge(
          fmt::format("{} broke the protocol between host and device: {}", trial.function, text),
          "do not write to file descriptors that you did not open");
    case CallEnd::kTimedOut:
      return ErrorCharge(
          fmt::format("{} ran longer than {} s on the host and was stopped", trial.function,
                      std::chrono::duration<double>(trial.limits.wall_time).count()),
          "look for a loop in host code that never ends");
    case CallEnd::kReturned:
    case CallEnd::kDisconnected:
      break;
  }
  return ForDisconnected(trial);
}

}  // namespace

std::vector<Charge> ChargesForEnding(const Trial& trial) {
  if (trial.returned()) return {};
  if (trial.stopped_early) {
    return {ErrorCharge(trial.function + " was not called: earlier calls ran into the time limit")};
  }
  return {ForEnd(trial)};
}

}  // namespace warpcheck

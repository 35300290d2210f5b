#include "checks/failures/ending.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

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

// What to do about a crash, by what the host's runtime says of it: words alone follow from that.
const char* HintForCrash(const sandbox::Ending& ending) {
  if (ending.signal != SIGSEGV && ending.signal != SIGBUS) return "";
  const auto says = [&](std::string_view words) {
    return ending.stderr_text.find(words) != std::string::npos;
  };
  if (says("which is device memory") || says("such as one to device memory")) {
    return "device pointers cannot be read or written in host code, only in kernels; cudaMemcpy() "
           "copies what they point to";
  }
  if (says("ran out of stack")) {
    return "look for a function in host code that calls itself without end, or for an array in a "
           "function that is too large for the stack: a std::vector has room for it";
  }
  if (says("which is a null pointer")) {
    return "look for a pointer in host code that was never set, or whose allocation failed";
  }
  return "look for an index out of bounds or a pointer that is no longer valid, in host code";
}

Charge ForHost(const Trial& trial) {
  const sandbox::Ending& ending = trial.ending;
  const std::string words = LastWords(ending.stderr_text);
  switch (ending.cause) {
    case Cause::kExited:
      return ErrorCharge(fmt::format("{} ended the program (exit status {}) instead of returning{}",
                                     trial.function, ending.exit_code, words),
                         "return from the function; do not call exit()");
    case Cause::kSignaled:
      return ErrorCharge(fmt::format("{} crashed on the host: it was {}{}", trial.function,
                                     ending.Text(trial.limits), words),
                         HintForCrash(ending));
    default:
      return ErrorCharge(
          fmt::format("{} was stopped: it {}{}", trial.function, ending.Text(trial.limits), words),
          ending.cause == Cause::kCpuTime ? "look for a loop in host code that never ends"
          : ending.cause == Cause::kIdle
              ? "look for a sleep, a read from stdin, a lock that nobody gives back, or a thread "
                "that is waited for and does not end"
              : "");
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
    case CallEnd::kSpent:
      return ErrorCharge(
          fmt::format("{} was stopped: all calls together may use {}", trial.function, text),
          "look for a loop that calls the CUDA runtime and never ends");
    case CallEnd::kReturned:
    case CallEnd::kDisconnected:
    case CallEnd::kGivenUp:
      break;
  }
  return ForHost(trial);
}

}  // namespace

std::vector<Charge> ChargesForEnding(const Trial& trial) {
  if (trial.returned()) return {};
  if (trial.stopped_early) {
    return {ErrorCharge(
        fmt::format("{} was not called: earlier calls have used up what all calls together may "
                    "use: {}",
                    trial.function, trial.outcome.text),
        "mend what ran longest, or into a limit, in the tests before this one")};
  }
  return {ForEnd(trial)};
}

}  // namespace warpcheck

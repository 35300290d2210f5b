#include "trial/ending.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

#include "remote/host_crash.h"

namespace warpcheck {

namespace {

using remote::CallEnd;
using sandbox::Cause;

CaseFailure MakeError(ComplaintId id, std::string message, std::string hint = {}) {
  return MakeFailure(std::move(id), Verdict::kError, std::move(message), std::move(hint));
}

// Returns the end of what the submission's host wrote to stderr. There the host's runtime explains
// a crash.
std::string StderrTail(const std::string& stderr_text) {
  constexpr std::size_t kBytes = 400;
  std::string text = stderr_text.substr(stderr_text.size() - std::min(stderr_text.size(), kBytes));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? text : "\nits last output: " + text;
}

// Returns what to do about a crash, according to the explanation that the host's runtime wrote. A
// submission can forge that text, but only the words of the hint depend on it.
const char* HintForCrash(const sandbox::Ending& ending) {
  if (ending.signal != SIGSEGV && ending.signal != SIGBUS) return "";
  using enum remote::HostCrash;
  const auto cause = remote::CrashToldIn(ending.stderr_text).value_or(kNoMemory);
  if (IsOneOf(cause, kDevice, kNotHosts)) {
    return "host code cannot read or write through device pointers, only kernels can; cudaMemcpy() "
           "copies what they point to";
  }
  if (cause == kStack) {
    return "look in host code for a function that calls itself without end, or for a local array "
           "that is too large for the stack: use a std::vector instead";
  }
  if (cause == kNull) {
    return "look in host code for a pointer that was never set, or whose allocation failed";
  }
  return "look in host code for an index out of bounds, or a pointer that is no longer valid";
}

CaseFailure ForHost(const Trial& trial) {
  const sandbox::Ending& ending = trial.ending;
  const std::string words = StderrTail(ending.stderr_text);
  switch (ending.cause) {
    case Cause::kExited:
      return MakeError(ComplaintKind::kExited,
                       fmt::format("{} ended the program (exit status {}) instead of returning{}",
                                   trial.function, ending.exit_code, words),
                       "return from the function, and do not call exit()");
    case Cause::kSignaled:
      return MakeError(ComplaintKind::kCrashed,
                       fmt::format("{} crashed on the host: it was {}{}", trial.function,
                                   ending.Text(trial.limits), words),
                       HintForCrash(ending));
    default:
      return MakeError(
          {ComplaintKind::kStopped, std::string(NameOf(ending.cause))},
          fmt::format("{} was stopped: it {}{}", trial.function, ending.Text(trial.limits), words),
          ending.cause == Cause::kCpuTime ? "look in host code for a loop that never ends"
          : ending.cause == Cause::kIdle  ? "look for a sleep, a read from stdin, a lock that is "
                                            "never released, or a wait for a "
                                            "thread that does not end"
                                          : "");
  }
}

CaseFailure ForEnd(const Trial& trial) {
  const std::string& text = trial.outcome.text;
  switch (trial.outcome.end) {
    case CallEnd::kNoSuchFunction:
      return MakeError(
          ComplaintKind::kMissingFunction,
          text.empty() ? trial.signature + " is not defined" : text,
          "name, parameter types and their order must be the same as in the assignment's header");
    case CallEnd::kException:
      return MakeError(ComplaintKind::kThrew,
                       fmt::format("an exception left {}: {}", trial.function, text));
    case CallEnd::kLoadFailed:
      return MakeError(ComplaintKind::kNotLoaded, "the submission cannot be loaded: " + text,
                       "only the CUDA runtime is available, no other library");
    case CallEnd::kProtocolError:
      return MakeError(
          ComplaintKind::kBrokenProtocol,
          fmt::format("{} broke the protocol between host and device: {}", trial.function, text),
          "do not write to file descriptors that you did not open");
    case CallEnd::kSpent:
      return MakeError(ComplaintKind::kBudgetSpent,
                       fmt::format("{} was stopped: all calls together may use at most {}",
                                   trial.function, text),
                       "look for a loop that calls the CUDA runtime and never ends");
    case CallEnd::kReturned:
    case CallEnd::kDisconnected:
    case CallEnd::kGivenUp:
      break;
  }
  return ForHost(trial);
}

}  // namespace

std::vector<CaseFailure> FailuresForEnding(const Trial& trial) {
  if (trial.returned()) return {};
  if (trial.stopped_early) {
    return {MakeError(
        ComplaintKind::kNotCalled,
        fmt::format("{} was not called, because earlier calls have reached the limit of all calls "
                    "together: {}",
                    trial.function, trial.outcome.text),
        "look at the tests before this one: correct the call that ran longest, or the call that "
        "reached a limit")};
  }
  return {ForEnd(trial)};
}

}  // namespace warpcheck

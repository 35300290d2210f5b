#include "compile/messages/compiler_death.h"

#include <fmt/format.h>
#include <re2/re2.h>
#include <signal.h>

#include <sstream>

#include "base/signals.h"

namespace warpcheck::compile {
namespace {

using sandbox::Cause;

constexpr int kShellSignal = 128;  // a shell exits with this plus the signal's number
constexpr char kUnknownPart[] = "the compiler";

enum class Culprit : std::uint8_t {
  kLimit,    // the sandbox sent it, because the submission met a limit
  kCrash,    // the compiler died by itself, because of this input or by chance
  kMachine,  // another process on this machine sent it: the out-of-memory killer, or an operator
};

Culprit CulpritOf(int signal) {
  switch (signal) {
    case SIGXCPU:
    case SIGXFSZ:
      return Culprit::kLimit;
    case SIGSEGV:
    case SIGBUS:
    case SIGILL:
    case SIGFPE:
    case SIGTRAP:
    case SIGABRT:
    case SIGSYS:
    case SIGPIPE:
      return Culprit::kCrash;
    default:
      return Culprit::kMachine;
  }
}

// Returns the number of the signal that the C library calls by this name: 9 for "Killed".
int SignalNamed(const std::string& name) {
  for (int number = 1; number < NSIG; ++number) {
    const char* const known = ::sigdescr_np(number);
    if (known != nullptr && name == known) return number;
  }
  return 0;
}

std::optional<CompilerDeath> ParseDeath(const std::string& line) {
  static const re2::RE2 kNvcc(R"(nvcc error   : '(.*)' died due to signal (\d{1,3}).*)",
                              re2::RE2::Latin1);
  static const re2::RE2 kLinker(
      R"(collect2: fatal error: (\S+) terminated with signal (\d{1,3}).*)", re2::RE2::Latin1);
  static const re2::RE2 kDriver(
      R"([^ ]+: (?:fatal error|internal compiler error): (.+) signal terminated program (\S+).*)",
      re2::RE2::Latin1);
  CompilerDeath death;
  if (re2::RE2::FullMatch(line, kNvcc, &death.part, &death.signal) ||
      re2::RE2::FullMatch(line, kLinker, &death.part, &death.signal)) {
    return death;
  }
  std::string name;
  if (re2::RE2::FullMatch(line, kDriver, &name, &death.part)) {
    death.signal = SignalNamed(name);
    if (death.signal != 0) return death;
  }
  return std::nullopt;
}

// Returns true for an error line of the preprocessor, cudafe++, the host compiler, the assembler,
// the linker or ptxas.
bool TellsOfError(std::string_view line) {
  for (const std::string_view mark :
       {": error", ": Error", "; error", " fatal error: ", ": catastrophic error: "}) {
    if (line.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string CompilerDeath::Text() const {
  return fmt::format("{} was killed by {}", part, SignalText(signal));
}

std::optional<CompilerDeath> FindDeath(const sandbox::Ending& ending) {
  if (ending.cause == Cause::kSignaled) return CompilerDeath{"nvcc", ending.signal};
  if (ending.exit_code == 0) return std::nullopt;
  std::optional<CompilerDeath> death;
  bool error = false;
  std::istringstream lines{ending.stderr_text};
  for (std::string line; std::getline(lines, line);) {
    auto told = line.size() < 1000 ? ParseDeath(line) : std::nullopt;
    if (!told && TellsOfError(line)) error = true;
    if (told && !death) death = std::move(told);
  }
  if (death && !error) return death;
  // No part of nvcc uses such an exit status itself.
  if (ending.exit_code > kShellSignal && ending.exit_code < kShellSignal + NSIG) {
    return CompilerDeath{kUnknownPart, ending.exit_code - kShellSignal};
  }
  return std::nullopt;
}

Standing StandingOf(sandbox::Ending& ending, std::string& why) {
  if (ending.cause == Cause::kTooBusy) return Standing::kBusy;
  if (ending.cause == Cause::kKilled) return Standing::kKilled;
  const auto death = FindDeath(ending);
  if (death) why = death->Text();
  const Culprit culprit = death ? CulpritOf(death->signal) : Culprit::kLimit;
  if (culprit == Culprit::kMachine) return Standing::kKilled;
  if (culprit == Culprit::kCrash || ending.cause == Cause::kMemory) return Standing::kCrash;
  if (death) ending.cause = death->signal == SIGXFSZ ? Cause::kFileSize : Cause::kCpuTime;
  return Standing::kVerdict;
}

}  // namespace warpcheck::compile

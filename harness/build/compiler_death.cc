#include "build/compiler_death.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstring>
#include <regex>
#include <sstream>

namespace warpcheck::build {
namespace {

using sandbox::Cause;

constexpr int kShellSignal = 128;  // a shell's exit status for a signal, less the signal
constexpr char kUnknownPart[] = "the compiler";

enum class Culprit : std::uint8_t {
  kLimit,    // the sandbox, for a limit that the submission has met
  kCrash,    // the compiler itself, on this input or by chance
  kMachine,  // somebody else on this machine: the out-of-memory killer, an operator
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

// "Killed" to 9, as the C library names signals.
int SignalNamed(const std::string& name) {
  for (int number = 1; number < NSIG; ++number) {
    const char* const known = ::sigdescr_np(number);
    if (known != nullptr && name == known) return number;
  }
  return 0;
}

std::optional<CompilerDeath> ParseDeath(const std::string& line) {
  static const std::regex kNvcc(R"(nvcc error   : '(.*)' died due to signal (\d+).*)");
  static const std::regex kDriver(
      R"([^ ]+: (?:fatal error|internal compiler error): (.+) signal terminated program (\S+).*)");
  static const std::regex kLinker(R"(collect2: fatal error: (\S+) terminated with signal (\d+).*)");
  std::smatch found;
  if (std::regex_match(line, found, kNvcc) || std::regex_match(line, found, kLinker)) {
    return CompilerDeath{found[1], std::stoi(found[2].str().substr(0, 3))};
  }
  if (std::regex_match(line, found, kDriver)) {
    if (const int signal = SignalNamed(found[1])) return CompilerDeath{found[2], signal};
  }
  return std::nullopt;
}

// Of the preprocessor, cudafe++, the host compiler, the assembler, the linker or ptxas.
bool TellsOfError(std::string_view line) {
  for (const std::string_view mark :
       {": error", ": Error", "; error", " fatal error: ", ": catastrophic error: "}) {
    if (line.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

std::string CompilerDeath::Text() const {
  const char* const known = ::sigdescr_np(signal);
  std::string name = known == nullptr ? "" : known;
  if (!name.empty() && std::islower(static_cast<unsigned char>(name[1])) != 0) {
    name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  }
  return fmt::format("{} was killed by signal {}{}", part, signal,
                     name.empty() ? "" : " (" + name + ")");
}

std::optional<CompilerDeath> FindDeath(const sandbox::Ending& ending) {
  if (ending.cause == Cause::kSignaled) return CompilerDeath{"nvcc", ending.signal};
  if (ending.exit_code == 0) return std::nullopt;
  std::optional<CompilerDeath> death;
  bool error = false;
  std::istringstream lines{ending.stderr_text};
  for (std::string line; std::getline(lines, line);) {
    auto told = line.size() < 1000 ? ParseDeath(line) : std::nullopt;
    if (told && !death) death = std::move(told);
    if (!told && TellsOfError(line)) error = true;
  }
  if (death && !error) return death;
  // No part of nvcc exits so by itself.
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

}  // namespace warpcheck::build

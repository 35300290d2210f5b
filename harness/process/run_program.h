// Runs a trusted program to its end and keeps what it prints. Processes that the program started
// are killed after its end.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "process/child_process.h"

namespace warpcheck {

struct ProgramRun {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // the arguments, without the name of the program
  std::chrono::milliseconds limit{0};  // the limit of wall time
  std::chrono::seconds cpu_limit{0};   // the limit of processor time; 0 means no limit
  // The number of last bytes of stdout and stderr together that are kept.
  std::size_t max_output = 0;
  std::vector<std::string> environment{};  // "NAME=value", added to the inherited variables
};

// The end of a program: how its process ended, and what it printed.
struct ProgramEnd {
  ChildEnd child;
  bool timed_out = false;  // true if RunProgram() stopped it after ProgramRun::limit
  std::string output;

  // Returns true if the program ended by itself with status 0.
  bool Succeeded() const { return !timed_out && !child.signaled && child.code == 0; }
  bool KilledByOthers() const { return !timed_out && child.KilledByOthers(); }
  bool UsedUpItsTime() const;

  // Returns ChildEnd::Text(), or a text like "was stopped after 5 s".
  std::string Text(std::chrono::milliseconds limit) const;
};

// Runs the program, and meanwhile calls `idle` several times a second. The program does not inherit
// GoogleTest's environment variables, which would change the tests that it runs. Fails if the
// program cannot be started.
Result<ProgramEnd> RunProgram(
    const ProgramRun& run, const std::function<void()>& idle = [] {});

}  // namespace warpcheck

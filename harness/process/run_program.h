// Runs a trusted program to its end and keeps what it prints. What the program started is killed
// when it has ended.
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
  std::vector<std::string> arguments;      // without the name of the program
  std::chrono::milliseconds limit{0};      // of wall time
  std::chrono::seconds cpu_limit{0};       // of processor time; 0 means no limit
  std::size_t max_output = 0;              // keeps the last bytes of stdout and stderr together
  std::vector<std::string> environment{};  // "NAME=value", added to the inherited variables
};

// The end of a program: how its process ended, and what it printed.
struct ProgramEnd {
  ChildEnd child;
  bool timed_out = false;  // stopped by RunProgram() after ProgramRun::limit
  std::string output;

  // Returns true if the program ended by itself with status 0.
  bool Succeeded() const { return !timed_out && !child.signaled && child.code == 0; }
  bool KilledByOthers() const { return !timed_out && child.KilledByOthers(); }
  bool UsedUpItsTime() const;

  // Returns ChildEnd::Text(), or a text like "was stopped after 5 s".
  std::string Text(std::chrono::milliseconds limit) const;
};

// Runs the program, and calls `idle` now and then meanwhile. The program does not inherit
// GoogleTest's environment variables, which would change the tests that it runs. Fails if the
// program cannot be started.
Result<ProgramEnd> RunProgram(
    const ProgramRun& run, const std::function<void()>& idle = [] {});

}  // namespace warpcheck

// Runs one trusted program to its end, and whatever it started with it, and keeps what it prints.
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
  std::vector<std::string> arguments;  // its own name not among them
  std::chrono::milliseconds limit{0};  // of wall time
  std::chrono::seconds cpu_limit{0};   // of processor time; 0: none
  std::size_t max_output = 0;          // bytes kept of stdout and stderr together: the last ones
  std::vector<std::string> environment{};  // "NAME=value", beside what is inherited
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

// GoogleTest's environment variables are kept from it: they would change which tests run. Calls
// `idle` every now and then. Fails where the program cannot be started.
Result<ProgramEnd> RunProgram(
    const ProgramRun& run, const std::function<void()>& idle = [] {});

}  // namespace warpcheck

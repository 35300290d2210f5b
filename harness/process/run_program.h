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

struct ProgramEnd : ChildEnd {
  bool timed_out = false;
  std::string output;

  bool KilledByOthers() const { return !timed_out && ChildEnd::KilledByOthers(); }
  bool UsedUpItsTime() const;

  // Also "was stopped after 5 s".
  std::string Text(std::chrono::milliseconds limit) const;
};

// GoogleTest's environment variables are kept from it: they would change which tests run. Calls
// `idle` every now and then. Fails where the program cannot be started.
Result<ProgramEnd> RunProgram(
    const ProgramRun& run, const std::function<void()>& idle = [] {});

}  // namespace warpcheck

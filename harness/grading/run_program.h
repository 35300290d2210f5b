// Runs one trusted program to its end, and whatever it started with it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck {

struct ProgramRun {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // its own name not among them
  std::chrono::milliseconds limit{0};  // of wall time
  std::chrono::seconds cpu_limit{0};   // of processor time; 0: none
  std::size_t max_output = 0;          // bytes kept of stdout and stderr together: the last ones
  std::vector<std::string> environment{};  // "NAME=value", beside what is inherited
};

struct ProgramEnd {
  bool timed_out = false;
  bool signaled = false;
  int code = 0;  // exit status or signal
  std::string output;
  std::uint64_t peak_memory_bytes = 0;  // of the largest of its processes

  // By a signal that programs send to others, never the kernel for what this one did.
  bool KilledByOthers() const;
  bool UsedUpItsTime() const;

  // "exited with status 3", "was killed by signal 11 (Segmentation fault)", "was stopped after 5
  // s".
  std::string Text(std::chrono::milliseconds limit) const;
};

// In a process group of its own, which is ended with the program; it dies with the calling thread.
// GoogleTest's environment variables are kept from it: they would change which tests run. Calls
// `idle` every now and then. Fails where the program cannot be started.
Result<ProgramEnd> RunProgram(
    const ProgramRun& run, const std::function<void()>& idle = [] {});

}  // namespace warpcheck

// Runs a function on untrusted data in a confined child process. A mistake in a library that reads
// the data then ends only that process.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/confine/confine.h"

namespace warpcheck::sandbox {

struct ConfinedRun {
  Confinement confinement;
  std::chrono::seconds cpu_limit{60};
  std::size_t max_result = std::size_t{64} << 20;  // in bytes
  std::vector<int> kept;                           // descriptors that `work` uses
};

// Runs `work` in a child of this process and returns its result. The message of an Error is the
// rest of a sentence about the data: "needs more than 1024 MiB of memory", "takes more than 60 s of
// processor time", "crashes the program that reads it: signal 11 (segmentation fault)". If the
// child is killed from outside, it is started again, so `work` must tolerate a second start.
Result<std::string> RunConfined(const ConfinedRun& run, const std::function<std::string()>& work);

}  // namespace warpcheck::sandbox

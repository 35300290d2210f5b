// Work on what strangers made, in a process of its own that is confined before it begins: a mistake
// in a library that reads their files ends that process, and nothing else.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/confine.h"

namespace warpcheck::sandbox {

struct ConfinedRun {
  Confinement confinement;
  std::chrono::seconds cpu_limit{60};
  std::size_t max_result = std::size_t{64} << 20;  // bytes
  std::vector<int> kept;                           // descriptors that `work` uses
};

// Returns what `work` returns in a child of this process. An Error's message goes on after the name
// of what was worked on: "needs more than 1024 MiB of memory", "takes more than 60 s of processor
// time", "crashes what reads it: signal 11 (segmentation fault)". A child that others kill is
// started anew, so that `work` has to bear being begun twice.
Result<std::string> RunConfined(const ConfinedRun& run, const std::function<std::string()>& work);

}  // namespace warpcheck::sandbox

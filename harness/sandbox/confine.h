// Takes from the judge itself what it does not need once its sandbox stands: what it reads was made
// by strangers, and a mistake in its reading must not open the machine to them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::sandbox {

struct Confinement {
  // Beside the system's libraries and what the kernel tells; folders with all that is in them.
  std::vector<std::filesystem::path> readable;
  std::vector<std::filesystem::path> writable;  // folders
  std::uint64_t memory_bytes = 0;               // private memory of this process; 0: no limit
};

// For this process, its threads and all that it starts, for good: no files but those named (where
// the kernel has Landlock), no programs, no new sockets but local ones, no tracing, mounting or
// namespaces, no rights of root's but to end processes, and no way to gain any. Descriptors that
// are open stay usable. Call it while there is one thread. A mechanism that the kernel lacks is
// left out (MissingConfinement).
Result<> Confine(const Confinement& confinement);

// What of it this machine lacks, for people; empty where there is all.
std::string MissingConfinement();

// Work on what strangers made, in a process of its own that is confined before it begins: a mistake
// in a library that reads their files ends that process, and nothing else.

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

// Takes from the judge itself what it does not need once its sandbox stands: what it reads was made
// by strangers, and a mistake in its reading must not open the machine to them.
#pragma once

#include <cstdint>
#include <filesystem>
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

}  // namespace warpcheck::sandbox

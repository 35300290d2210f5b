// Takes rights from the judge itself that it does not need once its sandbox exists. The judge reads
// data of untrusted programs, and a mistake in reading must not give them access to the machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::sandbox {

struct Confinement {
  // Folders that may be read, with everything in them, in addition to the system's libraries and
  // /proc, /sys and /dev.
  std::vector<std::filesystem::path> readable;
  std::vector<std::filesystem::path> writable;  // folders that may also be written
  // The limit of private memory of this process; 0 means no limit.
  std::uint64_t memory_bytes = 0;
};

// Confines this process, its threads and all that it starts, permanently. It may open only the
// named files (if the kernel has Landlock), execute no programs, make only local sockets, and may
// not trace, mount or make namespaces. Of root's rights it keeps only the right to end processes,
// and it cannot gain any right. Open descriptors stay usable. Call this while there is only one
// thread. A mechanism that the kernel lacks is left out (MissingConfinement()).
Result<> Confine(const Confinement& confinement);

// Returns the mechanisms that this machine lacks, as a text for users; empty if it lacks nothing.
std::string MissingConfinement();

}  // namespace warpcheck::sandbox

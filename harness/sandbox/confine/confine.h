// Takes rights from the judge itself that it does not need once its sandbox exists. It reads data
// of untrusted programs, and a mistake in reading must not open the machine to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::sandbox {

struct Confinement {
  // Folders that may be read, with everything in them, besides the system's libraries and /proc,
  // /sys and /dev.
  std::vector<std::filesystem::path> readable;
  std::vector<std::filesystem::path> writable;  // folders that may be written as well
  std::uint64_t memory_bytes = 0;               // private memory of this process; 0: no limit
};

// Confines this process, its threads and all that it starts, for good. It may open no files but
// those named (if the kernel has Landlock), execute no programs, make only local sockets, and
// neither trace, mount nor make namespaces. Of root's rights it keeps that to end processes, and it
// cannot gain any. Open descriptors stay usable. Call it while there is one thread. A mechanism
// that the kernel lacks is left out (MissingConfinement()).
Result<> Confine(const Confinement& confinement);

// Returns, as a text for users, the mechanisms that this machine lacks; empty if it has all.
std::string MissingConfinement();

}  // namespace warpcheck::sandbox

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
  // Files, and folders with everything in them, that may be read, in addition to the system's
  // libraries and what they read of this process and of the machine.
  std::vector<std::filesystem::path> readable;
  // Folders in which files may also be made, written, renamed and removed.
  std::vector<std::filesystem::path> writable;
  // The limit of private memory of this process; 0 means no limit.
  std::uint64_t memory_bytes = 0;
};

// Confines this process, its threads and all that it starts, permanently.
// - It may read only the named files, if the kernel has Landlock.
// - It may write only to the writable folders, and to descriptors that are open. Without writable
//   folders it opens no file for writing, on any kernel. It changes no mode, owner, time or
//   attribute of a file, makes no link and no device.
// - It makes no socket but connected pairs, and reaches no socket by an address.
// - It starts no process, and sends no signal to another.
// - It may not trace, mount or make namespaces. Of root's rights it keeps only the right to end
//   processes, and it cannot gain any right.
// Open descriptors stay usable, except sockets of datagrams, which it closes. Call this while there
// is only one thread. If the kernel lacks Landlock, its part is left out (MissingConfinement()).
Result<> Confine(const Confinement& confinement);

// Returns the mechanisms that this machine lacks, as a text for users; empty if it lacks nothing.
std::string MissingConfinement();

}  // namespace warpcheck::sandbox

// What bubblewrap is told, by a sandbox for one program and by a room for many.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/child.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// Its path.
Result<std::string> FindBubblewrap();

// Root gives its rights up before bubblewrap starts. Each sandbox gets a user id of its own, from a
// range that no system uses, so that no two may signal each other or share a count. 0: this is not
// root, and its programs stay the same user.
unsigned UnprivilegedUser();

// New namespaces, without rights in them.
std::vector<std::string> IsolationOptions();

// /usr without /usr/local, what links of it stand in the root folder on this machine, /proc and
// /dev.
std::vector<std::string> SystemOptions();

// The mounts of `stage`, after which the root folder is closed to writing. The last of the options.
std::vector<std::string> MountOptions(const std::vector<Mount>& mounts, const MountStage& stage);

// That it does not work on this machine, and how to let it.
tl::unexpected<Error> CannotWork(std::string reason);

}  // namespace warpcheck::sandbox

// Makes sandboxes with bubblewrap: one for each program, or a jail for many programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

// Checks that programs run in `sandbox` on this machine; the error says what to do. Call this on
// request, or after Cause::kSandboxFault. A check before each start would take as long as a short
// program.
Result<void> Works(Sandbox& sandbox);

// Makes a sandbox with no network, a read-only system, a private /tmp, its own process ids, no new
// privileges, and no view of the home folder or the course. Fails if bubblewrap is not installed.
Result<std::unique_ptr<Sandbox>> MakeBubblewrap();

// Makes a jail: one bubblewrap for many programs that see the same files, because making one takes
// longer than most calls. The programs share `mounts`, which are read-only and not below /tmp or
// /proc. Each Start has its own processes, /tmp, /proc, user namespace and kernel objects, as in a
// sandbox of its own, and leaves nothing behind; its command has no mounts. When a jail breaks, the
// programs in it end with Cause::kSandboxFault, and the next Start makes the jail again.
//
// `fork_server` is the path, as seen inside, of a program that is started often and calls
// RunForkServer() (supervisor/fork_server_process.h). The program is executed once, and each Start
// is a copy of it. If the path is empty, every Start executes its program. Fails, and says what to
// do, if programs cannot run in the jail here.
Result<std::unique_ptr<Sandbox>> MakeJail(std::vector<Mount> mounts, std::string fork_server = {});

}  // namespace warpcheck::sandbox

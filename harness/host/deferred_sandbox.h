// This sandbox is set up only when a program must run in it.
#pragma once

#include <memory>

#include "sandbox/sandbox.h"

namespace warpcheck {

// Returns such a sandbox, or one without isolation if `sandboxed` is false.
std::unique_ptr<sandbox::Sandbox> MakeDeferredSandbox(bool sandboxed);

}  // namespace warpcheck

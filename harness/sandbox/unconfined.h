// Makes a sandbox that applies the limits but isolates nothing, for --no-sandbox.
#pragma once

#include <memory>

#include "sandbox/sandbox.h"

namespace warpcheck::sandbox {

std::unique_ptr<Sandbox> MakeUnconfined();

}  // namespace warpcheck::sandbox

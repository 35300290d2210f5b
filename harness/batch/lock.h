// Keeps two batches out of one folder.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "sandbox/descriptor.h"

namespace warpcheck::batch {

// Held until the descriptor is closed, or its process ends, however it does. Fails where another
// process holds it.
Result<sandbox::Descriptor> LockFolder(const std::filesystem::path& folder);

}  // namespace warpcheck::batch

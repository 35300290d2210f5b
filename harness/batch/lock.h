// Keeps two batches out of one folder.
#pragma once

#include <filesystem>

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck::batch {

// Held until the descriptor is closed, or its process ends, however it does. Fails where another
// process holds it.
Result<Descriptor> LockFolder(const std::filesystem::path& folder);

}  // namespace warpcheck::batch

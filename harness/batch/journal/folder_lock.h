// Prevents two batches from running in one folder.
#pragma once

#include <filesystem>

#include "base/descriptor.h"
#include "base/result.h"

namespace warpcheck::batch {

// Locks the folder until the descriptor is closed or the process ends. Fails if another process has
// locked the folder.
Result<Descriptor> LockFolder(const std::filesystem::path& folder);

}  // namespace warpcheck::batch

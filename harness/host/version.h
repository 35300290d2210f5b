// This file defines the version of this program.
#pragma once

namespace warpcheck {

extern const char* const kVersion;  // such as "warpcheck 0.1.0"

}  // namespace warpcheck

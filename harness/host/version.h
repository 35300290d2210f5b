// The version of this program.
#pragma once

namespace warpcheck {

extern const char* const kVersion;  // "warpcheck 0.1.0"

}  // namespace warpcheck

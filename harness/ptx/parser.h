// PTX text to a verified module.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "ptx/limits.h"
#include "ptx/module.h"

namespace warpcheck::ptx {

// Accepts ISA 6.0 to 9.x. Anything unknown is an error with the PTX line and its text; nothing is
// guessed. `name` is the file name for errors. Bounded in time by the size of the text, and in
// memory by `most_held_bytes` (limits.h has the other limits).
Result<Module> ParseModule(std::string_view text, std::string_view name = "ptx",
                           std::uint64_t most_held_bytes = limits::kHeldBytes);

}  // namespace warpcheck::ptx

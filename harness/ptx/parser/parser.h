// Parses PTX text into a verified module.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "ptx/limits.h"
#include "ptx/module.h"

namespace warpcheck::ptx {

// Parses and verifies a module. Accepts ISA 6.0 to 9.x. Anything unknown is an error with the PTX
// line and its text; nothing is guessed. An error in the body of a function is kept
// (Module::refusals), so that other code can run; any other error makes the parse fail. `name` is
// the file name for errors. The time is limited by the size of the text, and the memory by
// `most_held_bytes`; limits.h has further limits.
Result<Module> ParseModule(std::string_view text, std::string_view name = "ptx",
                           std::uint64_t most_held_bytes = limits::kHeldBytes);

}  // namespace warpcheck::ptx

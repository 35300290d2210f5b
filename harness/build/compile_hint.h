// What to do about an error of the compiler's or the linker's.
#pragma once

#include <string>
#include <string_view>

#include "build/language.h"

namespace warpcheck::build {

// Empty where the message says it all. `language`: what the submission was compiled as.
std::string CompileHint(std::string_view message, const Language& language);

}  // namespace warpcheck::build

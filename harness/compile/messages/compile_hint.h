// Tells a student what to do about an error of the compiler or the linker.
#pragma once

#include <string>
#include <string_view>

#include "compile/source/language.h"

namespace warpcheck::compile {

// Returns a hint for `message`; empty if the message is clear by itself. `language` is the language
// in which the submission was compiled.
std::string CompileHint(std::string_view message, const Language& language);

}  // namespace warpcheck::compile

// What nvcc says, made fit for a student.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "build/build.h"

namespace warpcheck::build {

// Drops `folders`, where sources and nvcc's own files lay, from the names, and what is beyond 64
// KiB.
std::string CleanLog(std::string_view text, const std::vector<std::string>& folders);

// The first error: cudafe's "file(12): error: ..." or the host compiler's "file:12:3: error: ...".
CompileError ParseErrors(std::string log);

}  // namespace warpcheck::build

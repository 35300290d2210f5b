// What nvcc says, made fit for a student.
#pragma once

#include <string>
#include <string_view>

#include "build/build.h"

namespace warpcheck::build {

// Drops `folder`, where the sources lay, from the names, lines that name nvcc's temporary files,
// and what is beyond 64 KiB.
std::string CleanLog(std::string_view text, const std::string& folder);

// The first error: cudafe's "file(12): error: ..." or the host compiler's "file:12:3: error: ...".
CompileError ParseErrors(std::string log);

}  // namespace warpcheck::build

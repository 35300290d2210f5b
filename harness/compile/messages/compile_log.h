// Rewrites nvcc's text for a student.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/messages/compile_error.h"

namespace warpcheck::compile {

// Removes `folders`, which contained the sources and nvcc's own files, from the file names in
// `text`. Cuts the text at 64 KiB.
std::string CleanLog(std::string_view text, const std::vector<std::string>& folders);

// Returns the first error in `log`, as cudafe ("file(12): error: ...") or the host compiler
// ("file:12:3: error: ...") writes it. If there is no such line, the message is the log's first
// line.
CompileError ParseErrors(std::string log);

}  // namespace warpcheck::compile

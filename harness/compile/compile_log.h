// What nvcc says, made fit for a student.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/builder.h"
#include "compile/language.h"
#include "compile/sources.h"

namespace warpcheck::compile {

// What to do about an error of the compiler's or the linker's.

// Empty where the message says it all. `language`: what the submission was compiled as.
std::string CompileHint(std::string_view message, const Language& language);

// What the linker says, told by the functions and files of the submission.

// Of a function or variable that is defined twice, with its place in the second file; nothing where
// the linker says something else, or nothing. Without a hint.
std::optional<CompileError> FindLinkError(std::string_view log, const Sources& sources);

// Where `text` defines the function `name`, without namespaces: its line, 0 where it is not seen.
int LineOfDefinition(std::string_view text, std::string_view name);

// Drops `folders`, where sources and nvcc's own files lay, from the names, and what is beyond 64
// KiB.
std::string CleanLog(std::string_view text, const std::vector<std::string>& folders);

// The first error: cudafe's "file(12): error: ..." or the host compiler's "file:12:3: error: ...".
CompileError ParseErrors(std::string log);

}  // namespace warpcheck::compile

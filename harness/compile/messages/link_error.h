// Rewrites the linker's errors in terms of the functions and files of the submission.
#pragma once

#include <optional>
#include <string_view>

#include "compile/messages/compile_error.h"
#include "compile/source/sources.h"

namespace warpcheck::compile {

// Finds the first function or variable that the linker says is defined twice. Its place is that of
// the second definition. Returns nothing for any other log. The error has no hint.
std::optional<CompileError> FindLinkError(std::string_view log, const Sources& sources);

// Returns the line on which `text` defines the function `name` (without namespaces), or 0 if `text`
// does not define it.
int LineOfDefinition(std::string_view text, std::string_view name);

}  // namespace warpcheck::compile

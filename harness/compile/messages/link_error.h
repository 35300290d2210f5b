// Restates the linker's errors by the functions and files of the submission.
#pragma once

#include <optional>
#include <string_view>

#include "compile/messages/compile_error.h"
#include "compile/source/sources.h"

namespace warpcheck::compile {

// Finds the first function or variable that the linker says is defined twice. Its place is that of
// the second definition. Returns nothing for any other log. The error has no hint.
std::optional<CompileError> FindLinkError(std::string_view log, const Sources& sources);

// Returns the line on which `text` defines the function `name` (without namespaces); 0 if it does
// not.
int LineOfDefinition(std::string_view text, std::string_view name);

}  // namespace warpcheck::compile

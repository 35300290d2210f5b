// What the linker says, told by the functions and files of the submission.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "build/build.h"
#include "build/sources.h"

namespace warpcheck::build {

// Of a function or variable that is defined twice, with its place in the second file; nothing where
// the linker says something else, or nothing. Without a hint.
std::optional<CompileError> FindLinkError(std::string_view log, const Sources& sources);

// Where `text` defines the function `name`, without namespaces: its line, 0 where it is not seen.
int LineOfDefinition(std::string_view text, std::string_view name);

}  // namespace warpcheck::build

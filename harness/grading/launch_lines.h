// Finds the line on which a program launches a kernel.
#pragma once

#include <map>
#include <string>

#include "base/source_location.h"

namespace warpcheck {

// Returns the only line with `<<<` behind the kernel's name; unknown if there is none or several.
// `kernel` is a demangled name, and `sources` are the texts of the submission's files by name.
SourceLocation LaunchLine(const std::string& kernel,
                          const std::map<std::string, std::string>& sources);

}  // namespace warpcheck

// Chooses the CUDA runtime that `warpcheck run` puts in the place of a program's own.
#pragma once

#include <string>

#include "base/result.h"
#include "run/program_file.h"

namespace warpcheck {

// Returns the major version of the CUDA runtime that `warpcheck run` must provide. Fails if no
// runtime can be provided: the program's runtime is linked statically, it uses only the driver API,
// or it needs another version. The error says how to build the program instead.
Result<int> RuntimeFor(const run::ProgramFile& program, const std::string& name);

}  // namespace warpcheck

// Finds parts of CUDA in a process that `warpcheck run` does not offer: other libraries than the
// runtime, and a runtime that is linked into the program. What they do cannot be seen.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/journal.h"

namespace warpcheck::run {

// Returns what a library is, by the name of its file ("libcublas.so.13"); nothing for other
// libraries than those of NVIDIA that use a GPU.
std::optional<Unoffered> UnofferedLibrary(std::string_view file);

// Returns those that this process has loaded until now, and itself if it has a CUDA runtime of its
// own. Each time it returns only what is new.
std::vector<Unoffered> NewlyUnoffered();

// Returns a sentence about such a part for the user of a program.
std::string TextOf(const Unoffered& part);

}  // namespace warpcheck::run

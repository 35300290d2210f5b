// Tells which functions the program calls from other objects, before it calls them.
#pragma once

#include <span>
#include <string_view>

namespace warpcheck {

// Returns true if an object of this process, the program or one of its libraries, takes one of the
// functions from another object. A function that is only found by dlsym() is not seen.
bool ImportsAnyOf(std::span<const std::string_view> functions);

// Returns true if an object gives functions to streams (cudaLaunchHostFunc), and also takes a
// function by which its threads may wait for each other.
bool ImportsFunctionsAndWaits();

}  // namespace warpcheck

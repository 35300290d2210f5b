// Tells which functions the program calls from other objects, before it calls them.
#pragma once

#include <span>
#include <string_view>

namespace warpcheck::cudart {

// Returns true if an object of this process, the program or one of its libraries, takes one of the
// functions from another object. A function that is only found by dlsym() is not seen.
bool ImportsAnyOf(std::span<const std::string_view> functions);

// Returns true if one object takes a function of each list from others.
bool ImportsBoth(std::span<const std::string_view> first, std::span<const std::string_view> second);

}  // namespace warpcheck::cudart

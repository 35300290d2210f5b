// Explains to a student why dlopen() refused an object.
#pragma once

#include <string>
#include <string_view>

namespace warpcheck::cudart {

// Returns an explanation of dlopen's error text `reason`, if the mistake is a known one: the object
// was compiled with -rdc=true, or it needs a function of another library. Otherwise returns
// `reason`.
std::string ExplainLoadFailure(std::string_view reason);

}  // namespace warpcheck::cudart

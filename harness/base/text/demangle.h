// Turns mangled names of C++ functions and types into the names that people write.
#pragma once

#include <cstddef>
#include <string>

namespace warpcheck {

// Bounds the text of a name. A mangled name may stand for a text that is exponentially longer than
// itself, because each part may refer to an earlier part twice.
inline constexpr std::size_t kMaxDemangledBytes = 16'384;

// Returns "scale(float*, int)" for "_Z4scalePfi". Any other text is returned as it is, and so is a
// name whose text would be too long. A C function may be called "i", so that names of types stay
// too.
std::string Demangle(const std::string& mangled);

// Demangles names of functions and of types: returns "int" for "i", and "std::runtime_error" for
// "St13runtime_error".
std::string DemangleType(const std::string& mangled);

}  // namespace warpcheck

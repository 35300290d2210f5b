#pragma once

#include <string>

namespace warpcheck {

// "_Z4scalePfi" as "scale(float*, int)"; what is no mangled C++ name comes back as it is, also
// where it names a type: a C function "i" is no "int".
std::string Demangle(const std::string& mangled);

}  // namespace warpcheck

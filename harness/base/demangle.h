#pragma once

#include <cstddef>
#include <string>

namespace warpcheck {

// Of a name that people are shown. A mangled name may stand for a text that is exponentially
// longer than itself: each part may name an earlier one twice.
inline constexpr std::size_t kMaxDemangledBytes = 16'384;

// "_Z4scalePfi" as "scale(float*, int)"; what is no mangled C++ name, or one whose text would be
// too long, comes back as it is, also where it names a type: a C function "i" is no "int".
std::string Demangle(const std::string& mangled);

// Also of types: "i" as "int", "St13runtime_error" as "std::runtime_error".
std::string DemangleType(const std::string& mangled);

}  // namespace warpcheck

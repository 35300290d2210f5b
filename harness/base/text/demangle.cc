#include "base/text/demangle.h"

#include <libiberty/demangle.h>

#include <string_view>

namespace warpcheck {
namespace {

struct TooLong {};

// Receives the text part by part, and throws when it becomes too long; abi::__cxa_demangle would
// allocate memory without a limit. The demangler owns no memory that the exception could leak.
void Append(const char* part, std::size_t bytes, void* to) {
  auto& text = *static_cast<std::string*>(to);
  if (bytes > kMaxDemangledBytes - text.size()) throw TooLong();
  text.append(part, bytes);
}

// Returns the name without the number that NVIDIA's compiler adds to tell variables of one name
// apart:
// "_ZZ1kPfE3sum" for "_ZZ1kPfE3sum_$_0".
std::string WithoutNumber(const std::string& mangled) {
  constexpr std::string_view kMark = "_$_";
  const std::size_t at = mangled.rfind(kMark);
  const bool number =
      at != std::string::npos && at + kMark.size() < mangled.size() &&
      mangled.find_first_not_of("0123456789", at + kMark.size()) == std::string::npos;
  return number ? mangled.substr(0, at) : mangled;
}

}  // namespace

std::string DemangleType(const std::string& mangled) {
  std::string text;
  try {
    const bool known =
        cplus_demangle_v3_callback(mangled.c_str(), DMGL_PARAMS | DMGL_TYPES, Append, &text) != 0;
    return known ? text : mangled;
  } catch (const TooLong&) {
    return mangled;
  }
}

std::string Demangle(const std::string& mangled) {
  return mangled.starts_with("_Z") ? DemangleType(WithoutNumber(mangled)) : mangled;
}

}  // namespace warpcheck

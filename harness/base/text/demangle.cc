#include "base/text/demangle.h"

#include <libiberty/demangle.h>

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
  return mangled.starts_with("_Z") ? DemangleType(mangled) : mangled;
}

}  // namespace warpcheck

#include "base/demangle.h"

#include <libiberty/demangle.h>

namespace warpcheck {
namespace {

struct TooLong {};

// Part after part, so that it can be stopped: abi::__cxa_demangle takes all memory for a text that
// is too long. The function keeps nothing that an exception would leave behind.
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

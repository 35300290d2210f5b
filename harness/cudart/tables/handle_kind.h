// Defines the kinds of things that a program has to give back, beside memory (handle_kinds.def).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpcheck::cudart {

enum class HandleKind : std::uint8_t {
#define HANDLE_KIND(name, what, given_back_by, given_back, made_by) k##name,
#include "cudart/tables/handle_kinds.def"
#undef HANDLE_KIND
};

struct HandleKindFacts {
  std::string_view what;           // "stream"
  std::string_view given_back_by;  // "cudaStreamDestroy"
  std::string_view given_back;     // "destroyed"
  std::string_view made_by;        // the calls that make it, with blanks between them
};

inline constexpr HandleKindFacts kHandleKinds[] = {
#define HANDLE_KIND(name, what, given_back_by, given_back, made_by) \
  {what, given_back_by, given_back, made_by},
#include "cudart/tables/handle_kinds.def"
#undef HANDLE_KIND
};

constexpr const HandleKindFacts& FactsOf(HandleKind kind) {
  return kHandleKinds[static_cast<std::size_t>(kind)];
}

}  // namespace warpcheck::cudart

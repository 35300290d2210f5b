// Defines the kinds of memory that a program has from the runtime (memory_kinds.def).
#pragma once

#include <cstddef>
#include <string_view>

namespace warpcheck::cudart {

enum class MemoryKind {
#define MEMORY_KIND(name, freed_by, is_managed, maps_pages) k##name,
#include "cudart/tables/memory_kinds.def"
#undef MEMORY_KIND
};

struct MemoryKindFacts {
  std::string_view freed_by;  // "cudaFree"; empty if no call frees it
  bool is_managed = false;    // host and device use it at one address
  bool maps_pages = false;    // the runtime has mapped its pages of the host
};

constexpr MemoryKindFacts FactsOf(MemoryKind kind) {
  constexpr MemoryKindFacts kFacts[] = {
#define MEMORY_KIND(name, freed_by, is_managed, maps_pages) {freed_by, is_managed, maps_pages},
#include "cudart/tables/memory_kinds.def"
#undef MEMORY_KIND
  };
  return kFacts[static_cast<std::size_t>(kind)];
}

// Returns true for page-locked memory that the runtime has allocated.
constexpr bool IsPinned(MemoryKind kind) { return FactsOf(kind).freed_by == "cudaFreeHost"; }

}  // namespace warpcheck::cudart

// A MemoryUse is a range of bytes that a kernel or a copy uses, and how.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/record.h"
#include "device/types.h"

namespace warpcheck {

struct MemoryUse {
  // Uses of one kind by two operations never disturb each other, except writes. Nor do kinds from
  // kAtomic on disturb each other.
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kAtomic,   // an atomic, or an access with an ordering of its own
    kSignal,   // the same, if other processors may take part: volatile, or of system scope
    kRelease,  // a signal that comes after a fence of system scope, such as a flag for the host
  };
  Kind kind = Kind::kRead;
  DeviceAddress begin = 0;
  DeviceAddress end = 0;  // one past the last byte

  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};
WARPCHECK_NAMES(MemoryUse::Kind, "read", "write", "atomic", "signal", "release");
WARPCHECK_FIELDS(MemoryUse, kind, begin, end);

inline bool IsAtomic(MemoryUse::Kind kind) { return kind >= MemoryUse::Kind::kAtomic; }
inline bool IsSignal(MemoryUse::Kind kind) { return kind >= MemoryUse::Kind::kSignal; }

// A device keeps this many ranges of each kind in each allocation; those at higher addresses are
// left out.
inline constexpr std::size_t kMostUses = 4096;

}  // namespace warpcheck

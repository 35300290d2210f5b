// A MemoryUse is a range of bytes that a kernel or a copy uses, and how.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/record.h"
#include "device/types.h"

namespace warpcheck {

struct MemoryUse {
  // Uses of one kind by two operations never disturb each other, except writes.
  enum class Kind : std::uint8_t {
    kRead,
    kWrite,
    kAtomic,  // an atomic, or an access with an ordering of its own, such as a volatile one
  };
  Kind kind = Kind::kRead;
  DeviceAddress begin = 0;
  DeviceAddress end = 0;  // one past the last byte

  friend bool operator==(const MemoryUse&, const MemoryUse&) = default;
};
WARPCHECK_NAMES(MemoryUse::Kind, "read", "write", "atomic");
WARPCHECK_FIELDS(MemoryUse, kind, begin, end);

// A device keeps this many ranges of each kind in each allocation; those at higher addresses are
// left out.
inline constexpr std::size_t kMostUses = 4096;

}  // namespace warpcheck

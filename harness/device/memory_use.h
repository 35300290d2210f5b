// A MemoryUse is a range of bytes that a kernel or a copy uses, and how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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

// The bytes that a launch has used, and what its threads did about the kernel before it
// (griddepcontrol; docs/order.md, "Programmatic launches"). A thread has waited if it executed
// griddepcontrol.wait, or met at a barrier a thread that had waited.
struct LaunchUses {
  std::vector<MemoryUse> uses{};  // of all threads
  // If `waits`, the uses by threads that had not waited yet; otherwise empty.
  std::vector<MemoryUse> before_wait{};
  bool waits = false;  // true if some thread has waited
  // True if the next kernel may begin only after some thread of this one has waited: one of its
  // blocks lets the next kernel begin after the wait, or at its end.
  bool dependents_wait = false;
  bool complete = true;  // false if uses are left out (kMostUses)

  friend bool operator==(const LaunchUses&, const LaunchUses&) = default;
};
WARPCHECK_FIELDS(LaunchUses, uses, before_wait, waits, dependents_wait, complete);

// A device keeps at least this many ranges of each kind in each allocation. Those at higher
// addresses may be left out; LaunchUses::complete says so.
inline constexpr std::size_t kMostUses = std::size_t{1} << 17;

}  // namespace warpcheck

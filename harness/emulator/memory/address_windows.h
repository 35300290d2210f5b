// This file defines the windows of the emulator's 64-bit generic address space, one for each kind
// of memory. All lie above the 47 bits of user space, so that no host pointer lies in a window.
#pragma once

#include <cstdint>
#include <optional>

#include "device/types.h"

namespace warpcheck::emulator {

struct Window {
  DeviceAddress begin = 0;
  DeviceAddress end = 0;

  constexpr bool Contains(DeviceAddress address) const { return address >= begin && address < end; }
};

inline constexpr Window kHeapWindow{std::uint64_t{1} << 48, std::uint64_t{2} << 48};
// A generic address of the block's shared memory, the thread's local memory or the kernel's
// parameters is the beginning of its window plus the address within the state space.
inline constexpr Window kSharedWindow{std::uint64_t{3} << 48,
                                      (std::uint64_t{3} << 48) + (std::uint64_t{1} << 32)};
inline constexpr Window kLocalWindow{std::uint64_t{4} << 48,
                                     (std::uint64_t{4} << 48) + (std::uint64_t{1} << 32)};
inline constexpr Window kParamWindow{std::uint64_t{5} << 48,
                                     (std::uint64_t{5} << 48) + (std::uint64_t{1} << 32)};
// Addresses of functions lie 16 bytes apart. They are called, and never accessed.
inline constexpr Window kCodeWindow{std::uint64_t{6} << 48,
                                    (std::uint64_t{6} << 48) + (std::uint64_t{1} << 32)};

constexpr DeviceAddress FunctionAddress(std::uint32_t function) {
  return kCodeWindow.begin + std::uint64_t{16} * (function + 1);
}

// Returns the number that FunctionAddress() turns into the address; nothing if there is none. A
// module may have fewer functions.
constexpr std::optional<std::uint32_t> FunctionAt(DeviceAddress address) {
  if (!kCodeWindow.Contains(address) || address == kCodeWindow.begin || address % 16 != 0) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>((address - kCodeWindow.begin) / 16 - 1);
}

}  // namespace warpcheck::emulator

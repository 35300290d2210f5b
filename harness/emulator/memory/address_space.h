// Where things lie in the emulator's 64-bit generic address space. Every window lies above the
// 47 bits of user space, so no host pointer falls into one.
#pragma once

#include <cstdint>

#include "device/types.h"

namespace warpcheck::emulator {

struct Window {
  DeviceAddress begin = 0;
  DeviceAddress end = 0;

  constexpr bool Contains(DeviceAddress address) const { return address >= begin && address < end; }
};

inline constexpr Window kHeapWindow{std::uint64_t{1} << 48, std::uint64_t{2} << 48};
// Generic addresses of the block's shared memory, the thread's local memory and the kernel's
// parameters: the window's begin plus the address within the state space.
inline constexpr Window kSharedWindow{std::uint64_t{3} << 48,
                                      (std::uint64_t{3} << 48) + (std::uint64_t{1} << 32)};
inline constexpr Window kLocalWindow{std::uint64_t{4} << 48,
                                     (std::uint64_t{4} << 48) + (std::uint64_t{1} << 32)};
inline constexpr Window kParamWindow{std::uint64_t{5} << 48,
                                     (std::uint64_t{5} << 48) + (std::uint64_t{1} << 32)};
// Addresses of functions, 16 bytes apart: never accessed, only called.
inline constexpr Window kCodeWindow{std::uint64_t{6} << 48,
                                    (std::uint64_t{6} << 48) + (std::uint64_t{1} << 32)};

constexpr DeviceAddress FunctionAddress(std::uint32_t function) {
  return kCodeWindow.begin + std::uint64_t{16} * (function + 1);
}

}  // namespace warpcheck::emulator

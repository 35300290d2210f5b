// One access of a warp to shared memory, as an example of what an instruction does: enough to say
// which lanes meet in which bank, and what would keep them apart.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace warpcheck {

struct SharedExample {
  enum class Kind : std::uint8_t {
    kLoad,
    kStore,
    kReduction,   // an atomic that gives no result
    kAtomic,      // one that does
    kMatrixRows,  // ldmatrix, stmatrix: lanes give the addresses of rows
  };

  Kind kind = Kind::kLoad;
  std::uint32_t mask = 0;   // lanes that take part
  std::uint32_t bytes = 0;  // a lane
  // Of the lanes that take part, in bytes from the lowest of their words; of the others 0.
  std::array<std::uint32_t, 32> offsets = {};
  std::uint32_t wavefronts = 0;
  std::uint32_t ideal = 0;
  // The __shared__ variable: where it lies in the block's shared memory, in bytes; both 0 where
  // several can be meant.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  std::uint32_t Excess() const { return wavefronts - ideal; }
  friend auto operator<=>(const SharedExample&, const SharedExample&) = default;
};

// Which of two examples of an instruction to show.
inline bool IsWorse(const SharedExample& a, const SharedExample& b) {
  return a.Excess() != b.Excess() ? a.Excess() > b.Excess() : a < b;
}

}  // namespace warpcheck

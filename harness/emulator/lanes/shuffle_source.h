// Computes the lane from which a shuffled value comes (PTX ISA, "shfl.sync").
#pragma once

#include <cstdint>

#include "ptx/types.h"

namespace warpcheck::emulator {

struct ShuffleSource {
  int lane = 0;
  // True if the lane is inside the segment; if not, the value is the reader's own.
  bool inside = false;
};

// Always inlined, because it is compiled for several kinds of processors (CMakeLists.txt).
[[gnu::always_inline]] inline ShuffleSource SourceOfShuffle(ptx::Shuffle mode, int lane,
                                                            std::uint32_t b, std::uint32_t c) {
  const int segment = static_cast<int>((c >> 8) & 31);
  const int clamp = static_cast<int>(c & 31);
  const int distance = static_cast<int>(b & 31);
  const int max_lane = (lane & segment) | (clamp & ~segment);
  int source = 0;
  if (mode == ptx::Shuffle::kUp) source = lane - distance;
  if (mode == ptx::Shuffle::kDown) source = lane + distance;
  if (mode == ptx::Shuffle::kBfly) source = lane ^ distance;
  if (mode == ptx::Shuffle::kIdx) source = (lane & segment) | (distance & ~segment);
  const bool inside = mode == ptx::Shuffle::kUp ? source >= max_lane : source <= max_lane;
  return {inside ? source : lane, inside};
}

}  // namespace warpcheck::emulator

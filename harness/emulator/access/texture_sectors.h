// Counts the sectors that fetches from textures touch (docs/counters.md, "Textures").
#pragma once

#include <array>

#include "device/texture_descriptor.h"
#include "emulator/core/memory_site.h"
#include "emulator/lanes/texture.h"

namespace warpcheck::emulator {

// This array says which texels the fetch of each lane needs.
using ReadsOfLanes = std::array<TexelReads, kLanes>;

// Returns true if the law of sectors was measured for such textures.
bool CountsSectors(const TextureDescriptor& texture);

// Returns the cost of one request by `lanes`, in sectors. For each lane, the bytes are the bytes of
// the texel that the lane looks up. CountsSectors must be true for the texture.
Tally TextureCost(const TextureDescriptor& texture, LaneMask lanes, const ReadsOfLanes& reads);

}  // namespace warpcheck::emulator

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

// Returns the cost of one request by `lanes`, in sectors. The bytes are those of a texel for
// each lane, or of all texels that the lanes of a group look up, if these are more: a filter or a
// gather brings several texels to a lane. The sectors are right only if CountsSectors is true for
// the texture.
Tally TextureCost(const TextureDescriptor& texture, LaneMask lanes, const ReadsOfLanes& reads);

}  // namespace warpcheck::emulator

// TextureInfo describes a texture or surface instruction.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/shapes.h"

namespace warpcheck::emulator {

// Says how a surface access outside of the surface is handled (PTX ISA, "suld").
enum class SurfaceEdge : std::uint8_t { kTrap, kClamp, kZero };

// The properties that txq and suq ask for.
enum class TextureQuery : std::uint8_t {
  kWidth,
  kHeight,
  kDepth,
  kLayers,
  kNormalizedCoordinates,
  kOne,  // mipmap levels and samples; each texture has one of them
};

// The description of a texture or surface instruction. Step::data is its index in
// Program::textures.
struct TextureInfo {
  ptx::TextureGeometry geometry;
  bool is_surface = false;
  bool by_index = false;  // true for tex with coordinates of .s32
  int gathered = -1;      // the channel that tld4 takes from four texels; -1 for other instructions
  bool writes = false;    // true for sust
  SurfaceEdge edge = SurfaceEdge::kTrap;
  TextureQuery query = TextureQuery::kWidth;
  Slot layer = 0;  // the slot of the layer (u32), if the geometry is layered
  // Slots of f32 or s32, one for each dimension of the geometry.
  std::array<Slot, 3> coordinates = {};
  std::array<Slot, 4> values = {};   // slots of a texel's channels
  std::uint32_t elements = 0;        // how many of `values` are used
  std::uint32_t register_bytes = 4;  // the width of each of `values`
};

}  // namespace warpcheck::emulator

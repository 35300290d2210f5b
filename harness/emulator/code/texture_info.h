// What a texture or surface instruction does.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/shapes.h"

namespace warpcheck::emulator {

// What becomes of a surface access outside (PTX ISA, "suld").
enum class SurfaceEdge : std::uint8_t { kTrap, kClamp, kZero };

// What txq and suq ask for.
enum class TextureQuery : std::uint8_t {
  kWidth,
  kHeight,
  kDepth,
  kLayers,
  kNormalizedCoordinates,
  kOne,  // mipmap levels, samples
};

// One such instruction; Step::data names it in Program::textures.
struct TextureInfo {
  ptx::TextureGeometry geometry;
  bool is_surface = false;
  bool by_index = false;  // tex with coordinates of .s32
  int gathered = -1;      // the channel that tld4 takes from four texels; -1: other instructions
  bool writes = false;    // sust
  SurfaceEdge edge = SurfaceEdge::kTrap;
  TextureQuery query = TextureQuery::kWidth;
  Slot layer = 0;                        // u32; where the geometry is layered
  std::array<Slot, 3> coordinates = {};  // f32 or s32; of the geometry's dimensions
  std::array<Slot, 4> values = {};       // registers of a texel's channels
  std::uint32_t elements = 0;            // of `values`
  std::uint32_t register_bytes = 4;      // of each of them
};

}  // namespace warpcheck::emulator

// What a texture or surface instruction does; Step::data names one in Program::textures.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/texture_geometry.h"

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

struct TextureInfo {
  ptx::TextureGeometry geometry;
  bool is_surface = false;
  bool by_index = false;  // tex with coordinates of .s32
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

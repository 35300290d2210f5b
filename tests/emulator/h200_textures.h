// Reads texture fetches of an H200 (data/h200_textures.txt), with the textures that they read.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "emulator/lanes/texture.h"

namespace warpcheck::emulator {

struct TextureFetch {
  enum Format { kF32, kU8Norm, kS16Norm, kF16, kU8, kS16 };

  std::string line;  // the line of the file
  TextureDescriptor texture;
  int dimensions = 0;
  int format = 0;
  std::vector<std::byte> texels;
  std::array<float, 3> coordinates = {};
  Texel expected = {};
};

std::vector<TextureFetch> RecordedFetches();

// Returns true if a normalised coordinate, times the extent, is so near to a texel's edge that
// rounding decides.
bool OnAnEdge(const TextureFetch& fetch);

}  // namespace warpcheck::emulator

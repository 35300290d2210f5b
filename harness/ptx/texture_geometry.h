// The shape of a texture or surface, as an instruction names it: "2d", "a1d", "cube", ...
#pragma once

#include <cstddef>

#include "ptx/module.h"

namespace warpcheck::ptx {

struct TextureGeometry {
  int dimensions = 0;  // coordinates; of a cubemap 3
  bool layered = false;
  bool cube = false;
  bool multisampled = false;

  // Elements of the vector of coordinates, of which three are padded to four.
  std::size_t Elements() const;
};

// Of tex, suld and sust, whose rows let no instruction pass without one.
TextureGeometry GeometryOf(const Modifiers& modifiers);

}  // namespace warpcheck::ptx

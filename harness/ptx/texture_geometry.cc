#include "ptx/texture_geometry.h"

#include <algorithm>
#include <iterator>

namespace warpcheck::ptx {
namespace {

struct Named {
  std::string_view suffix;
  TextureGeometry geometry;
};

constexpr Named kGeometries[] = {
    {"1d", {.dimensions = 1}},
    {"2d", {.dimensions = 2}},
    {"3d", {.dimensions = 3}},
    {"a1d", {.dimensions = 1, .layered = true}},
    {"a2d", {.dimensions = 2, .layered = true}},
    {"cube", {.dimensions = 3, .cube = true}},
    {"acube", {.dimensions = 3, .layered = true, .cube = true}},
    {"2dms", {.dimensions = 2, .multisampled = true}},
    {"a2dms", {.dimensions = 2, .layered = true, .multisampled = true}},
};

}  // namespace

std::size_t TextureGeometry::Elements() const {
  const int count = dimensions + (layered ? 1 : 0) + (multisampled ? 1 : 0);
  return static_cast<std::size_t>(count == 3 ? 4 : count);
}

TextureGeometry GeometryOf(const Modifiers& modifiers) {
  for (const std::string& suffix : modifiers.suffixes) {
    const auto* const found = std::find_if(std::begin(kGeometries), std::end(kGeometries),
                                           [&](const Named& one) { return one.suffix == suffix; });
    if (found != std::end(kGeometries)) return found->geometry;
  }
  return {};
}

}  // namespace warpcheck::ptx

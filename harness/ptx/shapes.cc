#include "ptx/shapes.h"

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "device/lanes.h"

namespace warpcheck::ptx {
namespace {

constexpr std::pair<std::string_view, TextureGeometry> kGeometries[] = {
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

// Removes `letter` and a number from the front of `text`.
bool TakeSide(std::string_view& text, char letter, int& side) {
  if (!text.starts_with(letter)) return false;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, side);
  text = {rest, static_cast<std::size_t>(end - rest)};
  return error == std::errc();
}

std::optional<MatrixShape> ShapeIn(std::string_view text) {
  MatrixShape shape;
  const bool fits = TakeSide(text, 'm', shape.m) && TakeSide(text, 'n', shape.n) &&
                    TakeSide(text, 'k', shape.k) && text.empty();
  return fits ? std::optional(shape) : std::nullopt;
}

// Returns the types among the suffixes, in their order: the types of d, a, b and c for a product,
// or one type for a load or store.
std::vector<Type> TypesOf(const Modifiers& modifiers) {
  std::vector<Type> types;
  for (const std::string& suffix : modifiers.suffixes) {
    if (const auto type = TypeNamed(suffix)) types.push_back(*type);
  }
  return types;
}

Type ElementOf(const std::vector<Type>& types, char matrix) {
  if (types.size() == 1) return types[0];
  // In the short form of wmma.mma the factors have the type f16.
  const bool halves = types.size() == 2 && IsFloat(types[0]) && IsFloat(types[1]);
  if (halves) return matrix == 'd' ? types[0] : matrix == 'c' ? types[1] : Type::kF16;
  if (types.size() != 4) return Type::kNone;
  return types[matrix == 'd' ? 0 : matrix == 'a' ? 1 : matrix == 'b' ? 2 : 3];
}

}  // namespace

std::size_t TextureGeometry::Elements() const {
  const int count = dimensions + (layered ? 1 : 0) + (multisampled ? 1 : 0);
  return static_cast<std::size_t>(count == 3 ? 4 : count);
}

TextureGeometry GeometryOf(const Modifiers& modifiers) {
  for (const auto& [suffix, geometry] : kGeometries) {
    if (modifiers.suffixes.Has(suffix)) return geometry;
  }
  return {};
}

std::optional<MatrixShape> MatrixShapeOf(const Modifiers& modifiers) {
  for (const std::string& suffix : modifiers.suffixes) {
    if (const auto shape = ShapeIn(suffix)) return shape;
  }
  return std::nullopt;
}

std::optional<Fragment> FragmentOf(Opcode opcode, const Modifiers& modifiers, char matrix) {
  const auto shape = MatrixShapeOf(modifiers);
  Fragment fragment;
  const std::vector<Type> types = TypesOf(modifiers);
  if (opcode == Opcode::kMma && types.size() != 4) return std::nullopt;
  fragment.element = ElementOf(types, matrix);
  if (!shape || fragment.element == Type::kNone) return std::nullopt;
  const bool volta = opcode == Opcode::kMma && shape->m == 8 && shape->k == 4;
  if (volta && fragment.element != Type::kF64) return std::nullopt;
  fragment.rows = matrix == 'b' ? shape->k : shape->m;
  fragment.columns = matrix == 'a' ? shape->k : shape->n;
  const bool factor = matrix == 'a' || matrix == 'b';
  const std::uint32_t bytes = Bytes(fragment.element);
  fragment.reg = bytes == 8 ? Type::kB64 : Type::kB32;
  fragment.registers = static_cast<std::uint32_t>(fragment.rows * fragment.columns / kLanes) *
                       bytes / Bytes(fragment.reg);
  // Fragments of f16 factors have eight registers in every shape of wmma. In some shapes they
  // contain elements twice.
  if (opcode != Opcode::kMma && factor && fragment.element == Type::kF16) fragment.registers = 8;
  if (fragment.registers == 0) return std::nullopt;
  return fragment;
}

char MatrixAt(Opcode opcode, const Modifiers& modifiers, std::size_t index) {
  if (opcode == Opcode::kWmmaStore) return 'd';
  if (opcode == Opcode::kWmmaLoad) {
    return modifiers.suffixes.Has("a") ? 'a' : modifiers.suffixes.Has("b") ? 'b' : 'c';
  }
  return "dabc"[index];
}

}  // namespace warpcheck::ptx

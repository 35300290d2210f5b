// Reads the shapes that suffixes name: the shapes of textures and surfaces, and of the matrices of
// a product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ptx/module.h"

namespace warpcheck::ptx {

// The shape of a texture or surface, such as "2d", "a1d" or "cube".
struct TextureGeometry {
  int dimensions = 0;  // the number of coordinates; a cubemap has 3
  bool layered = false;
  bool cube = false;
  bool multisampled = false;

  // Returns the number of elements in the vector of coordinates; three are padded to four.
  std::size_t Elements() const;
};

// Returns the shape that a tex, suld or sust names; the grammar ensures that there is one.
TextureGeometry GeometryOf(const Modifiers& modifiers);

// The shape of an m x n x k product: a is m x k, b is k x n, c and d are m x n.
struct MatrixShape {
  int m = 0, n = 0, k = 0;
};

// A Fragment is the part of a matrix that one lane has in its registers (PTX ISA, "Warp Level
// Matrix Multiply-Accumulate Instructions").
struct Fragment {
  Type element = Type::kNone;
  // KB32 or kB64; several elements may share a register, with the first in its low bits.
  Type reg = Type::kNone;
  std::uint32_t registers = 0;
  int rows = 0, columns = 0;  // the dimensions of the whole matrix
};

// Returns the shape that the suffixes name ("m16n8k16"), if they name one.
std::optional<MatrixShape> MatrixShapeOf(const Modifiers& modifiers);

// Returns the fragment of matrix 'a', 'b', 'c' or 'd' in mma, wmma.load, wmma.mma and wmma.store.
// Returns nothing for shapes that are not supported: elements smaller than a byte, and m8n8k4 of
// f16.
std::optional<Fragment> FragmentOf(Opcode opcode, const Modifiers& modifiers, char matrix);

// Returns the matrix to which the operand of role 'F' at `index` belongs.
char MatrixAt(Opcode opcode, const Modifiers& modifiers, std::size_t index);

}  // namespace warpcheck::ptx

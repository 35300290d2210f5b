// The shapes that suffixes name: of a texture or surface, and of the matrices of a product.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ptx/module.h"

namespace warpcheck::ptx {

// Of a texture or surface: "2d", "a1d", "cube", ...
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

// The fragments of the matrix instructions: which registers of a lane hold a part of a matrix (PTX
// ISA, "Warp Level Matrix Multiply-Accumulate Instructions").

// Of an m x n x k product: a is m x k, b is k x n, c and d are m x n.
struct MatrixShape {
  int m = 0, n = 0, k = 0;
};

struct Fragment {
  Type element = Type::kNone;
  Type reg = Type::kNone;  // kB32 or kB64: several elements to a register, the first one lowest
  std::uint32_t registers = 0;
  int rows = 0, columns = 0;  // of the whole matrix
};

// "m16n8k16"; nullopt for another text.
std::optional<MatrixShape> MatrixShapeOf(const Modifiers& modifiers);

// The fragment of matrix 'a', 'b', 'c' or 'd' in mma, wmma.load, wmma.mma and wmma.store. Nullopt
// for those whose operands are not known here: elements below a byte, the m8n8k4 of f16.
std::optional<Fragment> FragmentOf(Opcode opcode, const Modifiers& modifiers, char matrix);

// The matrix that the operand of role 'F' at `index` is of.
char MatrixAt(Opcode opcode, const Modifiers& modifiers, std::size_t index);

}  // namespace warpcheck::ptx

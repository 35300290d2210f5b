// The fragments of the matrix instructions: which registers of a lane hold a part of a matrix (PTX
// ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/module.h"

namespace warpcheck::ptx {

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

// Decodes matrix operands, which moves and products of matrices have.
#pragma once

#include <cstddef>

#include "emulator/code/matrix_layout.h"
#include "emulator/instructions/instructions.h"

namespace warpcheck::emulator::WARPCHECK_ISA {

// Decodes the registers of the matrix at operand `index`, a destination or a source. Returns false
// for a form that does not exist.
bool DecodeMatrix(Operands& operands, std::size_t index, bool destination, MatrixOperand& matrix);

}  // namespace warpcheck::emulator::WARPCHECK_ISA

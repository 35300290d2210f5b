// Where the elements of a matrix lie in the registers of a warp. For mma the PTX ISA says so
// ("Matrix Fragments for ..."); for wmma, where it leaves it open, this is how an H200 has them.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/shapes.h"

namespace warpcheck::emulator {

// The operands of a matrix instruction; Step::data names one in Program::matrices.
struct MatrixOperand {
  char matrix = 'a';  // a, b, c or d
  ptx::Fragment fragment;
  std::array<Slot, 8> registers = {};
};
struct MatrixInfo {
  ptx::MatrixShape shape;
  std::array<MatrixOperand, 4> operands;  // d, a, b, c; of a load or store the first alone
  int depth = 0;                          // of a product: the elements of k that are one sum
  bool saturates = false;                 // .satfinite
  bool by_columns = false;                // of a load or store: .col
  std::uint8_t base_bytes = 8;            // of the register of its address
  std::int64_t base_offset = 0;           // bytes, from there to the first element
  Slot stride = 0;                        // elements from row to row, or column to column
};

struct MatrixPlace {
  int row = 0, column = 0;
};

// Of element `element` (counted through the registers of a lane, the lowest bits first) of lane 0;
// LaneOffset is what the other lanes add.
MatrixPlace PlaceInLaneZero(const ptx::MatrixShape& shape, const MatrixOperand& operand,
                            std::uint32_t element);
MatrixPlace LaneOffset(const ptx::MatrixShape& shape, const MatrixOperand& operand, int lane);

// Elements in one register, and in a lane without those that wmma keeps twice.
std::uint32_t ElementsPerRegister(const MatrixOperand& operand);
std::uint32_t DistinctElements(const MatrixOperand& operand);

}  // namespace warpcheck::emulator

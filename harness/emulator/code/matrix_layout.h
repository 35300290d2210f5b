// Says where the elements of a matrix lie in the registers of a warp. For mma, the PTX ISA defines
// this ("Matrix Fragments for ..."). For wmma, which the PTX ISA leaves open, the layout is that of
// an H200.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/shapes.h"

namespace warpcheck::emulator {

// An operand of a matrix instruction.
struct MatrixOperand {
  char matrix = 'a';  // one of a, b, c and d
  ptx::Fragment fragment;
  std::array<Slot, 8> registers = {};
};
struct MatrixInfo {
  ptx::MatrixShape shape;
  // The operands d, a, b and c; a load or store has only the first.
  std::array<MatrixOperand, 4> operands;
  // For a product: how many elements along k are added in one step.
  int depth = 0;
  bool saturates = false;       // true for .satfinite
  bool by_columns = false;      // true for .col of a load or store
  std::uint8_t base_bytes = 8;  // the width of the address register
  // The distance in bytes from that address to the first element.
  std::int64_t base_offset = 0;
  // The distance in elements from row to row, or from column to column.
  Slot stride = 0;
};

struct MatrixPlace {
  int row = 0, column = 0;
};

// Returns the place of an element of lane 0. Elements are counted through the registers of a lane,
// starting with the lowest bits. LaneOffset returns what to add for another lane.
MatrixPlace PlaceInLaneZero(const ptx::MatrixShape& shape, const MatrixOperand& operand,
                            std::uint32_t element);
MatrixPlace LaneOffset(const ptx::MatrixShape& shape, const MatrixOperand& operand, int lane);

// These return how many elements one register has, and how many elements a lane has without the
// duplicates that wmma stores.
std::uint32_t ElementsPerRegister(const MatrixOperand& operand);
std::uint32_t DistinctElements(const MatrixOperand& operand);

}  // namespace warpcheck::emulator

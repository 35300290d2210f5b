// Says where the elements of a matrix lie in the registers of a warp. For mma the PTX ISA defines
// it ("Matrix Fragments for ..."); for wmma, which it leaves open, the layout is that of an H200.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/code/step.h"
#include "ptx/shapes.h"

namespace warpcheck::emulator {

// An operand of a matrix instruction.
struct MatrixOperand {
  char matrix = 'a';  // a, b, c or d
  ptx::Fragment fragment;
  std::array<Slot, 8> registers = {};
};
struct MatrixInfo {
  ptx::MatrixShape shape;
  std::array<MatrixOperand, 4> operands;  // d, a, b, c; a load or store has only the first
  int depth = 0;                          // for a product, how many elements of k are one sum
  bool saturates = false;                 // .satfinite
  bool by_columns = false;                // .col of a load or store
  std::uint8_t base_bytes = 8;            // width of the address register
  std::int64_t base_offset = 0;           // bytes from that address to the first element
  Slot stride = 0;                        // elements from row to row, or from column to column
};

struct MatrixPlace {
  int row = 0, column = 0;
};

// Returns the place of an element of lane 0. Elements are counted through the registers of a lane,
// the lowest bits first. LaneOffset returns what to add for another lane.
MatrixPlace PlaceInLaneZero(const ptx::MatrixShape& shape, const MatrixOperand& operand,
                            std::uint32_t element);
MatrixPlace LaneOffset(const ptx::MatrixShape& shape, const MatrixOperand& operand, int lane);

// Return how many elements one register has, and how many a lane has without those that wmma stores
// twice.
std::uint32_t ElementsPerRegister(const MatrixOperand& operand);
std::uint32_t DistinctElements(const MatrixOperand& operand);

}  // namespace warpcheck::emulator

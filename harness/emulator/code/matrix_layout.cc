#include "emulator/code/matrix_layout.h"

namespace warpcheck::emulator {
namespace {

// Groups of four lanes; each group has a row of a, or a column of b.
constexpr int kGroups = 8;
// Lanes of a group lie side by side along k, or along the columns of c.
constexpr int kLanesOfGroup = 4;

bool IsWide(const ptx::MatrixShape& shape) { return shape.n > 2 * kGroups; }

// Removes the lowest digit of `number` to the base `count`, and returns it.
int Digit(int& number, int count) {
  const int digit = number % count;
  number /= count;
  return digit;
}

// Returns the place of an element of factor a, or of factor b with rows and columns exchanged.
// Registers go down eight rows first, then along k, and then down the other rows.
MatrixPlace PlaceInFactor(int rows, int k, int per, int element) {
  const int inside = element % per;
  int number = element / per;
  MatrixPlace place;
  if (rows >= 2 * kGroups) place.row += kGroups * Digit(number, 2);
  place.column = inside + kLanesOfGroup * per * Digit(number, k / (kLanesOfGroup * per));
  place.row += 2 * kGroups * Digit(number, rows > 2 * kGroups ? rows / (2 * kGroups) : 1);
  return place;
}

// Registers of b go along k first, except in the shape whose b is as large as the a of another
// shape.
MatrixPlace PlaceInB(const ptx::MatrixShape& shape, int per, int element) {
  if (IsWide(shape)) return PlaceInFactor(shape.n, shape.k, per, element);
  const int inside = element % per;
  int number = element / per;
  MatrixPlace place;
  place.column = inside + kLanesOfGroup * per * Digit(number, shape.k / (kLanesOfGroup * per));
  place.row = kGroups * Digit(number, shape.n / kGroups);
  return place;
}

MatrixPlace Exchanged(MatrixPlace place) { return {place.column, place.row}; }

}  // namespace

std::uint32_t ElementsPerRegister(const MatrixOperand& operand) {
  return ptx::Bytes(operand.fragment.reg) / ptx::Bytes(operand.fragment.element);
}

std::uint32_t DistinctElements(const MatrixOperand& operand) {
  return static_cast<std::uint32_t>(operand.fragment.rows * operand.fragment.columns / kLanes);
}

MatrixPlace PlaceInLaneZero(const ptx::MatrixShape& shape, const MatrixOperand& operand,
                            std::uint32_t element) {
  const auto per = static_cast<int>(ElementsPerRegister(operand));
  const auto index = static_cast<int>(element % DistinctElements(operand));
  if (operand.matrix == 'a') return PlaceInFactor(shape.m, shape.k, per, index);
  if (operand.matrix == 'b') return Exchanged(PlaceInB(shape, per, index));
  // Two elements are neighbours along the columns; in the wide shape, along the rows.
  int number = index / 2;
  if (IsWide(shape)) return {index % 2, kGroups * number};
  MatrixPlace place{.row = 0, .column = index % 2};
  place.row = kGroups * Digit(number, shape.m / kGroups);
  place.column += kGroups * number;
  return place;
}

MatrixPlace LaneOffset(const ptx::MatrixShape& shape, const MatrixOperand& operand, int lane) {
  const int group = lane / kLanesOfGroup;
  const int inside = lane % kLanesOfGroup;
  const auto per = static_cast<int>(ElementsPerRegister(operand));
  if (operand.matrix == 'a') return {group, per * inside};
  if (operand.matrix == 'b') return {per * inside, group};
  return IsWide(shape) ? MatrixPlace{2 * inside, group} : MatrixPlace{group, 2 * inside};
}

}  // namespace warpcheck::emulator

// Takes the index of an access apart, as the code computes it: a row, times the length of a row,
// plus a column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "emulator/core/launch.h"

namespace warpcheck::emulator {

// The index row * length + column of an element, in elements. `length` is an argument of the
// kernel. The row and the column may be outside of the array, and negative.
struct IndexFormula {
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::int64_t length = 0;
};

// The access of one thread to `array`.
struct IndexedAccess {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;
  Dim3 block;               // blockIdx
  Dim3 thread;              // threadIdx
  std::uint64_t where = 0;  // the address
  std::uint32_t bytes = 0;
};

// Returns the formula of the index. Returns nullopt if the code does not tell it: if a variable
// takes part that changes its value, if the value of the formula is not the address, or if no row
// depends on the thread. An array of one dimension has rows of the length that the code takes.
std::optional<IndexFormula> IndexFormulaOf(const Launch& launch, const Allocation& array,
                                           const IndexedAccess& access);

// Returns true if the code takes another length for a row than the array has.
bool HasOtherRows(const Allocation& array, const IndexFormula& index);

// Says what is wrong with an index: its rows have another length than those of the array, or its
// row or column lies outside of the array. Returns an empty text if nothing is.
std::string WrongIndexText(const Allocation& array, const IndexFormula& index);

}  // namespace warpcheck::emulator

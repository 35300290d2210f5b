// Where an array is wrong: a map of it, cell by cell, that holds no value of the result.
//
// An array of up to three dimensions has a cell for each element; of a large one a cell stands for
// a block of elements, and has the state of the worst of them. Dimensions beyond three count as one
// with the slowest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/record.h"

namespace warpcheck {

struct ResultMap {
  // The states of cells, the worst last.
  static constexpr char kRight = '.';
  static constexpr char kUnwritten = 'u';  // nobody has written it
  static constexpr char kWrong = 'x';

  // Elements of one dimension, both ends included.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    friend bool operator==(const Range&, const Range&) = default;
  };

  std::vector<std::uint64_t> extents;  // of the array, the slowest dimension first
  std::vector<std::uint64_t> block;    // elements of a cell, along each dimension
  std::string cells;                   // their states, row-major
  std::uint64_t first_wrong = 0;       // an element, in row-major order
  std::string first;                   // "[0, 1]: expected 0.5, got 0.25"
  // The box of elements that a call has to change, along each dimension, where others lie around it
  // that have to stay as they were: the halo. Empty where there is none.
  std::vector<Range> inner;

  // Cells along dimension `i`.
  std::uint64_t Cells(std::size_t i) const { return (extents[i] + block[i] - 1) / block[i]; }

  friend bool operator==(const ResultMap&, const ResultMap&) = default;
};

// All right so far. `extents`: the slowest dimension first, none of them 0.
ResultMap MapOf(std::span<const std::size_t> extents);

// Element `index`, in row-major order, is in such a state.
void Mark(ResultMap& map, std::uint64_t index, char state);

// The place of an element of an array of these extents, along each dimension.
std::vector<std::uint64_t> PlaceOf(std::span<const std::uint64_t> extents, std::uint64_t index);

// Whether it is one that MapOf could have made: what was read from a file may be anything.
bool IsWhole(const ResultMap& map);

WARPCHECK_FIELDS(ResultMap::Range, first, last);
WARPCHECK_FIELDS(ResultMap, extents, block, cells, first_wrong, first);
WARPCHECK_FIELDS_IF_CHANGED(ResultMap, inner);

}  // namespace warpcheck

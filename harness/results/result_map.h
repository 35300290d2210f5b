// A ResultMap shows where an array is wrong, cell by cell. It contains no value of the result.
//
// An array of up to three dimensions has a cell for each element. In a map of a large array, a cell
// represents a block of elements and has the state of the worst of them. The dimensions beyond
// three are joined with the slowest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/record.h"

namespace warpcheck {

struct ResultMap {
  // The states of cells, from best to worst.
  static constexpr char kRight = '.';
  static constexpr char kUnwritten = 'u';  // never written
  static constexpr char kWrong = 'x';

  // A range of elements of one dimension, both ends included.
  struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;

    friend bool operator==(const Range&, const Range&) = default;
  };

  std::vector<std::uint64_t> extents;  // the array's extents, slowest dimension first
  std::vector<std::uint64_t> block;    // the number of elements of a cell in each dimension
  std::string cells;                   // the states of the cells, row-major
  std::uint64_t first_wrong = 0;       // the index of the first wrong element, row-major
  std::string first;                   // such as "[0, 1]: expected 0.5, got 0.25"
  // The box that a call must change, in each dimension, if the elements around it (the halo) must
  // keep their values. Empty if there is no halo.
  std::vector<Range> inner;

  // Returns the number of cells along dimension `i`.
  std::uint64_t Cells(std::size_t i) const { return (extents[i] + block[i] - 1) / block[i]; }

  friend bool operator==(const ResultMap&, const ResultMap&) = default;
};

// The most cells of a map. An array of one dimension is shown in lines. For an array of three, each
// index of the slowest dimension is a picture.
struct MapLimits {
  std::uint64_t line = 0;  // of an array of one dimension
  std::uint64_t side = 0;  // in each dimension of an array of two
  std::uint64_t slices = 0;
  std::uint64_t side_of_slice = 0;
};
// The limits of maps in results and reports, and the limits of pictures in files of their own.
inline constexpr MapLimits kMapInReport = {
    .line = 4096, .side = 64, .slices = 16, .side_of_slice = 32};
inline constexpr MapLimits kMapInFile = {
    .line = 16384, .side = 256, .slices = 32, .side_of_slice = 128};

// Returns a map without wrong cells. `extents` has the slowest dimension first, and contains no 0.
ResultMap MapOf(std::span<const std::size_t> extents, const MapLimits& limits = kMapInReport);

// Gives the element with the row-major index `index` the state `state`.
void Mark(ResultMap& map, std::uint64_t index, char state);

// Returns the position, in each dimension, of an element in an array of these extents.
std::vector<std::uint64_t> PlaceOf(std::span<const std::uint64_t> extents, std::uint64_t index);

// Returns true for a map that MapOf() could have made. A map from a file may have any values.
bool IsWhole(const ResultMap& map, const MapLimits& limits = kMapInReport);

WARPCHECK_FIELDS(ResultMap::Range, first, last);
WARPCHECK_FIELDS(ResultMap, extents, block, cells, first_wrong, first);
WARPCHECK_FIELDS_IF_CHANGED(ResultMap, inner);

}  // namespace warpcheck

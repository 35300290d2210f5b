// An ArrayDump has the expected and the actual elements of an array that a case compared. A file
// passes dumps from a checks program to the front end. It has one JSON line for each dump, followed
// by the bytes of the arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "base/result.h"
#include "device/types.h"
#include "results/result_map.h"

namespace warpcheck {

struct ArrayDump {
  // The most elements of an array that is kept.
  static constexpr std::uint64_t kMostElements = std::uint64_t{1} << 24;

  std::string case_name{};             // the full name, as in CaseResult
  std::string array;                   // the name of the parameter; empty if it is not known
  std::uint64_t call = 1;              // the number of the call in its process, from 1
  std::string type;                    // the type of the elements, as NumPy writes it: "<f4"
  std::vector<std::uint64_t> extents;  // the slowest dimension first
  // The box that a call must change, as in ResultMap.
  std::vector<ResultMap::Range> inner{};
  std::string expected;  // the bytes of the elements, row-major; empty if there are too many
  std::string got;
  std::string states{};       // one character for each element, as in ResultMap
  DeviceAddress address = 0;  // as in Values; not in the file

  // Returns the number of elements.
  std::uint64_t Elements() const;
  std::uint64_t ElementBytes() const;

  friend bool operator==(const ArrayDump&, const ArrayDump&) = default;
};
WARPCHECK_FIELDS(ArrayDump, case_name, array, call, type, extents, inner);

// Returns a dump as the file has it.
std::string TextOf(const ArrayDump& dump);

// Reads a file of dumps. A file that does not exist has no dumps. Fails if a dump is not whole.
Result<std::vector<ArrayDump>> ReadArrayDumps(const std::filesystem::path& path);

}  // namespace warpcheck

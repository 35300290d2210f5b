// What a warp was about to do when a finding was made: for --break-on-finding.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"
#include "device/finding.h"

namespace warpcheck::run {

// A register of the instruction, before it is carried out.
struct RegisterValues {
  enum class Type : std::uint8_t { kPredicate, kInteger, kFloat };
  std::string name;  // of PTX: "%rd4"
  Type type = Type::kInteger;
  std::uint32_t bytes = 0;  // of a value: 1 for a predicate, at most 8
  bool written = false;     // by the instruction, which may read it too
  std::array<std::uint64_t, 32> lanes = {};

  friend bool operator==(const RegisterValues&, const RegisterValues&) = default;
};

struct FindingStop {
  Finding finding;
  std::string instruction;  // of PTX
  Dim3 block;
  std::uint32_t warp = 0;    // in its block
  std::uint32_t active = 0;  // lanes of the warp that are on this path
  std::uint32_t lanes = 0;   // that the finding is about
  std::vector<RegisterValues> registers;

  friend bool operator==(const FindingStop&, const FindingStop&) = default;
};

WARPCHECK_NAMES(RegisterValues::Type, "predicate", "integer", "float");

WARPCHECK_FIELDS(RegisterValues, name, type, bytes, written, lanes);

WARPCHECK_FIELDS(FindingStop, finding, instruction, block, warp, active, lanes, registers);

}  // namespace warpcheck::run

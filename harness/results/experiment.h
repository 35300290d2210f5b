// Experiments are changes of a submission with which its failing cases were made again, as plain
// data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/record.h"
#include "base/source_location.h"

namespace warpcheck {

// How much of a change that helps a student is told: its line; also of which kind it is; or all of
// it.
enum class Given : std::uint8_t { kLine, kKind, kChange };
WARPCHECK_NAMES(Given, "line", "kind", "change");

// An Experiment is a place of the source, and a change there that makes every failing case right
// and leaves every passed case right, also with data of another seed.
struct Experiment {
  std::string kind{};       // the kind of the change, as it is named in results: "comparison"
  std::string phrase{};     // the same, before a place: "another comparison in"
  SourceLocation where{};   // the place; unknown for the change of a launch
  std::string kernel{};     // the kernel whose launch is changed, demangled; empty for a place
  std::string change{};     // the change: "`<=` in place of `<`"
  std::uint32_t cured = 0;  // the number of cases that failed and are right with it

  friend bool operator==(const Experiment&, const Experiment&) = default;
};
WARPCHECK_FIELDS(Experiment, kind, phrase, where, kernel, change, cured);

// Experiments say what was found about one submission, and what that cost.
struct Experiments {
  std::vector<Experiment> cures;   // the places where one change cures all, the likeliest first
  std::uint32_t proposed = 0;      // the number of changes that were proposed
  std::uint32_t tried = 0;         // the number of them that were tried, within the budget
  Given given = Given::kKind;      // what students are told
  std::uint64_t instructions = 0;  // the warp instructions that the tries executed

  friend bool operator==(const Experiments&, const Experiments&) = default;
};
WARPCHECK_FIELDS(Experiments, cures, proposed, tried, given, instructions);

}  // namespace warpcheck

// Collects the traced accesses of source lines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "run/journal.h"

namespace warpcheck {

// The accesses of one line, kernel, memory and kind. nvcc may have made several instructions for
// them.
struct LineAccess {
  run::AccessSample worst;       // the worst one; its sums are the sums over all instructions
  std::size_t instructions = 0;  // the number of instructions
};

// Joins samples of one line, in the order of their first instruction.
std::vector<LineAccess> LineAccesses(const std::vector<run::AccessSample>& samples);

// Return the words of a picture: the instruction, the access that is drawn, and how many like it
// there are.
std::string InstructionText(const LineAccess& access);
std::string WorstText(const run::AccessSample& sample);
std::string HowManyText(const run::AccessSample& sample);

}  // namespace warpcheck

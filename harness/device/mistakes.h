// Findings that one mistake makes, as one.
#pragma once

#include <string>
#include <vector>

#include "device/finding.h"

namespace warpcheck {

// One finding for each mistake, the first one that it made, with the counts added up, in the order
// of their first occurrence:
//
// - of one kind at one line, in whatever launches and instantiations of a template (of one kernel
//   and text, where the line is unknown);
// - races that the same barrier would mend: those whose gaps have lines in common;
// - a use of memory that nothing has written, where a race tells that it was read too early.
std::vector<Finding> Mistakes(const std::vector<Finding>& findings);

// The line to show a finding at: where a barrier is missing, a line of the kernel itself.
const SourceLocation& PlaceOf(const Finding& finding);

// What a finding says, with the lines between which a barrier is missing and the line of the kernel
// that it was called from.
std::string MessageOf(const Finding& finding);

// Findings that tell of the same: one rule for grades and for `warpcheck run`.

// Adds a finding, or its count where one is there that tells of the same: of that kind, place and,
// of a race, place of the other access; of one kernel and text, where the place is unknown.
void AddFinding(std::vector<Finding>& findings, const Finding& finding);

}  // namespace warpcheck

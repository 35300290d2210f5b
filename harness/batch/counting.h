// Which of a student's hand-ins counts, where an export holds several.
#pragma once

#include <vector>

#include "batch/class_rules.h"
#include "batch/layout.h"
#include "batch/roster.h"

namespace warpcheck::batch {

// One hand-in of each student, by the rule; all of them where the best counts, which only their
// grades can tell. The others go to `roster` as superseded; where nothing says which one counts,
// all are refused.
std::vector<HandIn> Counting(std::vector<HandIn> hand_ins, const ClassRules& rules, Roster& roster);

// ", of 2026-11-21T10:00:00"; empty where nothing says when.
std::string At(const std::string& submitted);

}  // namespace warpcheck::batch

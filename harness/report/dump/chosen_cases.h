// Finds the cases that a user names as reports do.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck {

// Returns the full names of the cases that have these names: full names, such as
// "Shapes/Transpose.MatchesReference/32x32", or short ones, such as "32x32", which several tests
// may share. Fails if a name belongs to no case, and lists the names that do.
Result<std::vector<std::string>> ChosenCases(const std::vector<std::string>& names,
                                             const std::vector<std::string>& all);

}  // namespace warpcheck

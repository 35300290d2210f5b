// Makes changes after which a program does more work than before, or the same work with fewer
// lanes. No such change may raise a score. The line numbers of the program stay the same.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "proof/mutation/mutant.h"

namespace warpcheck::mutation {

// Returns the names of the functions that a header declares.
std::vector<std::string> FunctionsOf(const Source& header);

// `functions` are the functions that the checks call; `blamed` are the lines that lost points.
std::vector<Mutant> MoreWorkOf(const Source& source, const std::vector<std::string>& functions,
                               const std::set<int>& blamed);

}  // namespace warpcheck::mutation

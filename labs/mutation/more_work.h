// Changes after which a program does more than before, or the same with fewer lanes: none of them
// may raise a score. The lines of the program stay where they are.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "labs/mutation/mutant.h"

namespace warpcheck::mutation {

// The names of the functions that a header declares.
std::vector<std::string> FunctionsOf(const Source& header);

// `functions` are those that the checks call, `blamed` the lines whose points were lost.
std::vector<Mutant> MoreWorkOf(const Source& source, const std::vector<std::string>& functions,
                               const std::set<int>& blamed);

}  // namespace warpcheck::mutation

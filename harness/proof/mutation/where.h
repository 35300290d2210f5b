// Counts in how many mutants the report names the line that was changed.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "proof/mutation/run.h"

namespace warpcheck::mutation {

// Returns the lines of a mutant that are wrong. Where something was taken away, this is also the
// line of the token before it.
std::set<int> WrongLines(const Source& source, const Mutant& mutant);

// Counts of the mutants that lost points.
struct WhereCounts {
  std::size_t lost = 0;            // mutants
  std::size_t found = 0;           // those whose wrong line is named, among at most three
  std::size_t by_experiments = 0;  // those of them that experiments found
  std::size_t lines = 0;           // lines that were named, of all mutants
  std::size_t right = 0;           // those of them that are wrong lines

  WhereCounts& operator+=(const WhereCounts& more);
};

// The counts by kind of change (Mutant::kind).
using WhereTable = std::map<std::string, WhereCounts>;

void AddTo(WhereTable& table, const Source& source, const Trial& trial);

// Returns the table as text, with the sum of all kinds.
std::string TextOf(const WhereTable& table);

}  // namespace warpcheck::mutation

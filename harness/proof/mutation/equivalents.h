// Reads <assignment>.toml, the list of the mutants that behave as the original does:
//   [[equivalent]]
//   mutants = ["18:14 < to <=", "20:5 + to -"]
//   reason = "..."
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::mutation {

struct Equivalent {
  std::string mutant;  // names of mutants, as Mutant::Name() returns them
  std::string reason;
  SourceLocation where;
};

// Returns the entries in the order of the file. Fails on text that is not TOML, on unknown and
// missing keys, on empty reasons, and on mutants that are listed twice. The error names `file`.
Result<std::vector<Equivalent>> ParseEquivalents(const std::string& text, const std::string& file);

}  // namespace warpcheck::mutation

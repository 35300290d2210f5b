// The mutants that nobody can tell from the original, each with the reason: <assignment>.toml.
//   [[equivalent]]
//   mutants = ["18:14 < to <=", "20:5 + to -"]
//   reason = "..."
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::mutation {

struct Equivalent {
  std::string mutant;  // as Mutant::Name()
  std::string reason;
  SourceLocation where;
};

// In the order of the file. Fails on text that is no TOML, on unknown and missing keys, empty
// reasons, and mutants listed twice; `file` is named in the error.
Result<std::vector<Equivalent>> ParseEquivalents(const std::string& text, const std::string& file);

}  // namespace warpcheck::mutation

// Reads the warnings of nvcc about device code, which explain a trap that the compiler has put into
// a kernel.
#pragma once

#include <string_view>
#include <vector>

#include "base/source_location.h"
#include "run/journal.h"

namespace warpcheck {

struct BuildWarning {
  SourceLocation where;
  std::string text;  // such as "Cannot store to pointer that points to constant memory space"

  friend bool operator==(const BuildWarning&, const BuildWarning&) = default;
};

// Returns the warnings about the places of device code in nvcc's output, each once.
std::vector<BuildWarning> BuildWarningsIn(std::string_view output);

// Adds the warnings to findings of traps without a line, which no line of the program contains. If
// there is only one warning, its place becomes that of the trap.
void ExplainTraps(const std::vector<BuildWarning>& warnings,
                  std::vector<run::ProcessResult>& processes);

}  // namespace warpcheck

// `warpcheck mutation` grades small changes of references.
#pragma once

#include <string>

#include "cli/measure/changed_programs.h"

namespace warpcheck {

struct MutationOptions : ChangedPrograms {
  std::string only;   // the beginning of the names of the wanted changes
  bool list = false;  // true to list the changes without grading
};

// With `where`, also prints a table of the changes whose line the reports name (ChangedPrograms).
//
// Returns kExitFull if each change loses points or is listed as equivalent. Returns kExitLost if a
// change does not lose points, or if a list is out of date.
int MutationCommand(const MutationOptions& options);

}  // namespace warpcheck

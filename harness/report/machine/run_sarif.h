// Writes the findings of `warpcheck run` as SARIF 2.1.0, for GitHub's code scanning and for
// editors.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/journal.h"

namespace warpcheck {

struct RunSarifOptions {
  std::string program;  // the program's file: the place of findings that have no line
  std::string version;  // the version of warpcheck, such as "warpcheck 0.1.0"
  // Returns the text of a line of a source file; empty if the line cannot be read.
  std::function<std::string(const SourceLocation&)> source;
  // Returns the name of a file as seen from the current folder, which is the top of the repository.
  std::function<std::string(const std::string&)> shown_file;
};

// Returns one result for each mistake, whatever number of processes made it. Its rule is the kind
// of the finding, with the help that the terminal shows as a hint. Related locations are the other
// access of a race, the lines between which a barrier is missing, and the call in the kernel. A
// fingerprint stays the same if lines are added above the mistake.
std::string RunSarif(const std::vector<run::ProcessResult>& processes,
                     const RunSarifOptions& options);

}  // namespace warpcheck

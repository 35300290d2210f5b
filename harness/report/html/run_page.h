// Makes the page of `warpcheck run`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/journal.h"

namespace warpcheck {

struct RunPageOptions {
  std::string program;  // the program's name as the user wrote it
  // Returns the text of a line of a source file; empty if the line cannot be read.
  std::function<std::string(const SourceLocation&)> source;
  // Returns the name of a file in the form in which the user would write it.
  std::function<std::string(const std::string&)> shown_file;
};

// Returns a page with the costs of each kernel and its worst lines, the findings, pictures of the
// traced accesses, and the timeline, as the terminal's report has them.
std::string RunPage(const std::vector<run::ProcessResult>& processes,
                    const RunPageOptions& options);

}  // namespace warpcheck

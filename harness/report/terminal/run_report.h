// Writes the report of `warpcheck run` from the journals that the program's processes have left.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "report/terminal/terminal_text.h"
#include "run/journal.h"

namespace warpcheck {

struct RunReportOptions {
  std::string program;  // the program's name as the user wrote it
  // Libraries that the program's file is linked with, and that warpcheck does not offer.
  std::vector<run::Unoffered> unoffered{};
  bool failed = false;    // the program ended with another status than 0, or by a signal
  std::size_t lines = 3;  // how many lines of a kernel are shown, the worst first
  // Returns the text of a line of a source file; empty if the line cannot be read.
  std::function<std::string(const SourceLocation&)> source;
  // Returns the name of a file in the form in which the user would write it.
  std::function<std::string(const std::string&)> shown_file;
};

// Returns a table for each kernel with its worst lines, followed by the findings, the pictures of
// traced accesses, and the registers at the first finding.
std::string RunReport(const std::vector<run::ProcessResult>& processes,
                      const RunReportOptions& options, const TerminalStyle& style);

}  // namespace warpcheck

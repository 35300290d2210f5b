// What `warpcheck run` tells of a program: functions of what its journals say.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/reports.h"
#include "run/journal.h"

namespace warpcheck {

struct RunReportOptions {
  std::string program;    // as the user wrote it
  std::size_t lines = 3;  // of a kernel, the worst ones
  // The text of a line of a source file; empty where it cannot be had.
  std::function<std::string(const SourceLocation&)> source;
  // A file's name as the user would write it.
  std::function<std::string(const std::string&)> shown_file;
};

// For people: a table a kernel with its worst lines, then findings, pictures of traced accesses and
// the registers at the first finding.
std::string RunReport(const std::vector<run::ProcessResult>& processes,
                      const RunReportOptions& options, const TerminalStyle& style);

// The registers of a warp at a finding: one row a lane, of as many registers as fit the width
// (further ones below); a register that is the same in all active lanes takes one line. Integers
// are decimal and hexadecimal, signed where that is shorter; a mark tells lanes of the finding
// (">"), other active ones (" "), and inactive ones ("-"), whose values are shown too: they are
// what the lane left there.
std::string RegisterTable(const run::FindingStop& stop, const TerminalStyle& style);

// Everything, for programs: docs/run.md describes it.
nlohmann::json RunJson(const std::vector<run::ProcessResult>& processes,
                       const std::string& program);

// Findings that say that something is wrong, of all processes.
std::size_t WrongFindings(const std::vector<run::ProcessResult>& processes);

}  // namespace warpcheck

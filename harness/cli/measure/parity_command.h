// `warpcheck parity` compares what two devices count for the same launches.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace warpcheck {

struct ParityOptions {
  std::string device = "emulator";  // "emulator" or "gpu"
  std::filesystem::path measured;   // an earlier result that is read instead of a run
  std::filesystem::path set;        // the calibration set; if empty, tests/parity/set.toml
  std::string only = "*";           // a filter of subjects, as in --gtest_filter
  // The number of subjects that are measured at once; 0 means as many as there are cores.
  std::size_t jobs = 0;
  std::filesystem::path write;    // the file for the result; empty for no file
  std::filesystem::path against;  // an earlier result to compare with; empty for no comparison
  std::filesystem::path known;    // the file of known disagreements; may be empty
  bool all = false;               // true to show known disagreements too
  bool rows = false;              // true to show only rows for `known`
  bool no_sandbox = false;
};

// Returns the exit status (cli/exit_status.h).
int ParityCommand(const ParityOptions& options);

}  // namespace warpcheck

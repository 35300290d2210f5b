// The command `warpcheck check` grades one submission and shows the report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpcheck {

struct CheckOptions {
  std::string assignment;
  std::filesystem::path submission;
  std::string device = "auto";  // "auto", "emulator" or "gpu"
  std::optional<int> target;    // the compute capability to emulate, times 10
  // Report files by the name of their kind (report/reports.def).
  std::map<std::string, std::filesystem::path> reports;
  std::optional<std::uint64_t> seed;
  bool no_sandbox = false;
  bool no_experiments = false;
  // The folder for the arrays of the cases `cases`, or of the first case with a wrong result; empty
  // if none are wanted.
  std::filesystem::path dump;
  std::vector<std::string> cases;
  std::optional<double> fail_under;  // a percentage of all points that are shown
  bool staff = false;                // true to show hidden criteria
  bool watch = false;                // true to grade again whenever the submission is saved
};

// Returns the exit status (cli/exit_status.h).
int CheckCommand(const CheckOptions& options);

}  // namespace warpcheck

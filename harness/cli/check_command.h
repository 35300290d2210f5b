// `warpcheck check`: grades one submission and shows the report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace warpcheck {

struct CheckOptions {
  std::string assignment;
  std::filesystem::path submission;
  std::string device = "auto";                           // "auto", "emulator" or "gpu"
  std::map<std::string, std::filesystem::path> reports;  // files by name (report/reports.def)
  std::optional<std::uint64_t> seed;
  bool no_sandbox = false;
  std::optional<double> fail_under;  // percent of all points
};

// Returns the exit status (cli/exit_status.h).
int CheckCommand(const CheckOptions& options);

}  // namespace warpcheck

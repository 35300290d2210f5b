// What `warpcheck run` asks of the runtime inside the program that it starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "base/result.h"

namespace warpcheck::run {

// The environment variable that names the folder of settings and journals.
inline constexpr char kFolderVariable[] = "WARPCHECK_RUN";

// The accesses of one source line of a kernel.
struct TraceTarget {
  std::string kernel;  // its name without parameters
  int line = 0;        // of any source file

  friend bool operator==(const TraceTarget&, const TraceTarget&) = default;
};

struct Settings {
  std::vector<std::string> checks;  // as CheckersNamed gives them
  std::optional<TraceTarget> trace;
  bool break_on_finding = false;            // keeps the registers at the first finding
  std::optional<std::uint64_t> order_seed;  // permutes blocks and warps; in order when absent
  // Folders of files that are not the program's own: their code counts for the lines that call it.
  std::vector<std::string> system_folders = {"/usr"};
  unsigned threads = 1;  // that run a kernel
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint64_t instruction_budget = UINT64_MAX;  // warp instructions

  friend bool operator==(const Settings&, const Settings&) = default;
};

WARPCHECK_FIELDS(TraceTarget, kernel, line);

WARPCHECK_FIELDS(Settings, checks, trace, break_on_finding, order_seed, system_folders, threads,
                 memory_bytes, instruction_budget);

// In `folder`, in a file of their own.
Result<> WriteSettings(const std::filesystem::path& folder, const Settings& settings);
Result<Settings> ReadSettings(const std::filesystem::path& folder);

// What can watch a run, under the names that --check takes: the emulator's checkers, and one of the
// CUDA runtime.

// The one of misuse of the CUDA runtime: errors nobody asked for, leaks, wrong copies.
inline constexpr std::string_view kApiChecker = "api";

// The names that there are: "races, api".
std::string CheckerList();

// "races,api", "all" or "none" as names. Fails on a name that there is none of.
Result<std::vector<std::string>> CheckersNamed(std::string_view list);

}  // namespace warpcheck::run

// Settings has the settings that `warpcheck run` passes to the runtime inside the program.
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

// The environment variable that contains the folder of settings and journals.
inline constexpr char kFolderVariable[] = "WARPCHECK_RUN";

// The source line of a kernel whose accesses are traced.
struct TraceTarget {
  std::string kernel;  // the kernel's name without parameters
  int line = 0;        // a line number in any source file

  friend bool operator==(const TraceTarget&, const TraceTarget&) = default;
};

struct Settings {
  std::vector<std::string> checks;  // as CheckersNamed() returns them
  std::optional<TraceTarget> trace;
  bool timeline = false;          // true to make a timeline of the program's calls
  bool calls = false;             // true to list the program's calls
  bool break_on_finding = false;  // true to keep the registers at the first finding
  // The seed that permutes blocks and warps; if absent, they run in order.
  std::optional<std::uint64_t> order_seed;
  // Folders of files that are not the program's own. Their code counts for the lines that call it.
  std::vector<std::string> system_folders = {"/usr"};
  unsigned threads = 1;  // the number of threads that run a kernel
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint64_t instruction_budget = UINT64_MAX;  // in warp instructions

  friend bool operator==(const Settings&, const Settings&) = default;
};

WARPCHECK_FIELDS(TraceTarget, kernel, line);

WARPCHECK_FIELDS(Settings, checks, trace, timeline, calls, break_on_finding, order_seed,
                 system_folders, threads, memory_bytes, instruction_budget);

// Writes the settings to a file in `folder`.
Result<> WriteSettings(const std::filesystem::path& folder, const Settings& settings);
Result<Settings> ReadSettings(const std::filesystem::path& folder);

// The name of the checker for the use of the runtime: unchecked errors, leaks, wrong copies.
inline constexpr std::string_view kApiChecker = "api";
// The name of the checker for the order of operations and of the host (docs/order.md).
inline constexpr std::string_view kOrderChecker = "order";

// Returns the names that --check accepts, such as "races, api".
std::string CheckerList();

// Splits a list like "races,api", "all" or "none" into names. Fails for an unknown name.
Result<std::vector<std::string>> CheckersNamed(std::string_view list);

}  // namespace warpcheck::run

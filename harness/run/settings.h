// What `warpcheck run` asks of the runtime inside the program that it starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
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
  std::vector<std::string> checks;  // names of run/checkers.h
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

}  // namespace warpcheck::run

namespace warpcheck {

template <>
inline constexpr auto kFieldsOf<run::TraceTarget> = std::tuple{
    RecordField{"kernel", &run::TraceTarget::kernel}, RecordField{"line", &run::TraceTarget::line}};

template <>
inline constexpr auto kFieldsOf<run::Settings> =
    std::tuple{RecordField{"checks", &run::Settings::checks},
               RecordField{"trace", &run::Settings::trace},
               RecordField{"break_on_finding", &run::Settings::break_on_finding},
               RecordField{"order_seed", &run::Settings::order_seed},
               RecordField{"system_folders", &run::Settings::system_folders},
               RecordField{"threads", &run::Settings::threads},
               RecordField{"memory_bytes", &run::Settings::memory_bytes},
               RecordField{"instruction_budget", &run::Settings::instruction_budget}};

}  // namespace warpcheck

namespace warpcheck::run {

// In `folder`, in a file of their own.
Result<> WriteSettings(const std::filesystem::path& folder, const Settings& settings);
Result<Settings> ReadSettings(const std::filesystem::path& folder);

}  // namespace warpcheck::run

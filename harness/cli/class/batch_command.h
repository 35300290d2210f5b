// The command `warpcheck batch` grades a class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpcheck {

struct BatchOptions {
  std::string assignment;
  std::filesystem::path source;  // a folder or an archive of submissions
  std::filesystem::path out;     // the folder for all files of the batch
  // The number of submissions that are graded at once; 0 means one for each core.
  std::size_t jobs = 0;
  // "auto", "emulator" or "gpu"; empty: as at the batch's start, or "auto" for a new batch
  std::string device;
  std::string executor = "local";  // "local" or "slurm"
  std::string slurm_options;       // more options for sbatch, as words to a shell
  std::string only = "*";          // a glob of the ids that are graded now
  std::string regrade;  // a glob of the ids that are graded again, whatever their grade is
  std::optional<std::uint64_t> seed;
  // A class.toml (batch/course/class_rules.h); empty if the rules do not change.
  std::filesystem::path rules;
  bool resume = false;
  bool no_sandbox = false;
  bool no_experiments = false;
  bool similar = false;  // true to look for submissions that are alike
  // The page of a leaderboard, an .html file; empty if there is none. A new batch with a
  // leaderboard measures the tests of speed where there is a GPU.
  std::filesystem::path leaderboard;
};

// Returns 0 if every submission has a final grade, kExitFault if one has no final grade or was
// refused, and 130 or 143 if a signal ended the batch.
int BatchCommand(const BatchOptions& options);

}  // namespace warpcheck

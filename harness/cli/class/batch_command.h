// `warpcheck batch`: grades a class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpcheck {

struct BatchOptions {
  std::string assignment;
  std::filesystem::path source;    // a folder or an archive of submissions
  std::filesystem::path out;       // the folder for all files of the batch
  std::size_t jobs = 0;            // how many are graded at once; 0: one for each core
  std::string device;              // "auto", "emulator" or "gpu"; empty: as begun, else "auto"
  std::string executor = "local";  // or "slurm"
  std::string slurm_options;       // more options for sbatch, as words to a shell
  std::string only = "*";          // a glob of the ids that are graded now
  std::string regrade;  // a glob of the ids that are graded again, whatever their grade is
  std::optional<std::uint64_t> seed;
  std::filesystem::path rules;  // a class.toml (batch/course/class_rules.h); empty: unchanged
  bool resume = false;
  bool no_sandbox = false;
  bool similar = false;  // look for submissions that are alike
};

// Returns 0 if every submission has a final grade, kExitFault if one has none or was refused, and
// 130 or 143 if a signal ended the batch.
int BatchCommand(const BatchOptions& options);

}  // namespace warpcheck

// Slurm, as far as a batch needs it: job arrays, known by their names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace warpcheck::batch {

struct SlurmArray {
  std::string name;              // of the job: unique, of [A-Za-z0-9-]
  std::filesystem::path folder;  // absolute, seen by all nodes; logs go there
  std::filesystem::path script;  // what each task runs
  std::size_t tasks = 0;         // at most kMaxArrayTasks
  std::size_t at_once = 0;       // 0: as many as the cluster has room for
  bool gpu = false;              // one for each task
};

// Slurm's own bound is 1001, unless a cluster says otherwise (MaxArraySize).
inline constexpr std::size_t kMaxArrayTasks = 1000;

// A line of the queue, where tasks stay for some minutes after their end.
struct QueueLine {
  std::string array;                 // its name
  std::string job;                   // its number
  std::optional<std::size_t> index;  // none: every task of the array without a line of its own
  std::string state;                 // "RUNNING"
  std::string node;
  std::string reason;  // why it waits, or how it ended; may be "None"
};

// Its failures are those of the cluster, in Slurm's own words.
class Slurm {
 public:
  virtual ~Slurm() = default;
  // Returns the job's number.
  virtual Result<std::string> Submit(const SlurmArray& array) = 0;
  // What the queue says of these arrays. Those that Slurm does not know have no line.
  virtual Result<std::vector<QueueLine>> Look(const std::vector<std::string>& arrays) = 0;
  // Ends all their tasks; nothing happens where there are none.
  virtual Result<> Cancel(const std::vector<std::string>& arrays) = 0;
};

// Through sbatch, squeue and scancel, found on PATH. `options` are further ones for sbatch.
std::unique_ptr<Slurm> MakeSlurmCommands(std::vector<std::string> options);

// Splits what would be words to a shell: at spaces, with quotes and backslashes. Fails on a quote
// that does not end.
Result<std::vector<std::string>> SplitOptions(const std::string& text);

}  // namespace warpcheck::batch

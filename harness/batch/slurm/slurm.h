// Slurm as a batch needs it: submits, watches and cancels job arrays, which are known by their
// names.
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
  std::string name;              // unique, of [A-Za-z0-9-]
  std::filesystem::path folder;  // absolute, seen by all nodes; logs are written there
  std::filesystem::path script;  // run by each task
  std::size_t tasks = 0;         // at most kMaxArrayTasks
  std::size_t at_once = 0;       // how many run at once; 0: as many as the cluster allows
  bool gpu = false;              // true if each task needs a GPU
};

// Slurm's default limit is 1001 (MaxArraySize); a cluster may set another.
inline constexpr std::size_t kMaxArrayTasks = 1000;

// A line of Slurm's queue, where tasks stay for some minutes after their end.
struct QueueLine {
  std::string array;                 // the array's name
  std::string job;                   // the job's number
  std::optional<std::size_t> index;  // nothing: all tasks of the array without a line of their own
  std::string state;                 // "RUNNING"
  std::string node;
  std::string reason;  // why the task waits, or how it ended; may be "None"
};

// Each function fails if the cluster does, with Slurm's own message.
class Slurm {
 public:
  virtual ~Slurm() = default;
  // Returns the job's number.
  virtual Result<std::string> Submit(const SlurmArray& array) = 0;
  // Returns the queue's lines for these arrays; an array that Slurm does not know has none.
  virtual Result<std::vector<QueueLine>> Look(const std::vector<std::string>& arrays) = 0;
  // Ends all tasks of these arrays, if there are any.
  virtual Result<> Cancel(const std::vector<std::string>& arrays) = 0;
};

// Uses sbatch, squeue and scancel, which have to be on PATH. `options` are added to sbatch's.
std::unique_ptr<Slurm> MakeSlurmCommands(std::vector<std::string> options);

}  // namespace warpcheck::batch

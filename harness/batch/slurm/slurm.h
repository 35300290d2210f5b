// This is the part of Slurm that a batch needs. It submits, watches and cancels job arrays, which
// are known by their names.
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
  std::string name;              // a unique name of the characters [A-Za-z0-9-]
  std::filesystem::path folder;  // an absolute path that all nodes see; logs are written there
  std::filesystem::path script;  // the script that each task runs
  std::size_t tasks = 0;         // the number of tasks, at most kMaxArrayTasks
  // The number of tasks that run at once; 0 means as many as the cluster allows.
  std::size_t at_once = 0;
  bool gpu = false;  // true if each task needs a GPU
};

// Slurm's default limit is 1001 (MaxArraySize); a cluster may set another.
inline constexpr std::size_t kMaxArrayTasks = 1000;

// A QueueLine is a line of Slurm's queue, where tasks stay for some minutes after their end.
struct QueueLine {
  std::string array;  // the array's name
  std::string job;    // the job's number
  // Without a value for all tasks of the array that have no line of their own.
  std::optional<std::size_t> index;
  std::string state;  // such as "RUNNING"
  std::string node;
  std::string reason;  // why the task waits, or how it ended; Slurm may write "None"
};

// Each function fails if Slurm's command fails, with Slurm's own message.
class Slurm {
 public:
  virtual ~Slurm() = default;
  // Returns the number of the job.
  virtual Result<std::string> Submit(const SlurmArray& array) = 0;
  // Returns the queue's lines for these arrays. An array that Slurm does not know has no lines.
  virtual Result<std::vector<QueueLine>> Look(const std::vector<std::string>& arrays) = 0;
  // Ends all tasks of these arrays, if there are any.
  virtual Result<> Cancel(const std::vector<std::string>& arrays) = 0;
};

// Uses sbatch, squeue and scancel, which must be on PATH. `options` are added to the options of
// sbatch.
std::unique_ptr<Slurm> MakeSlurmCommands(std::vector<std::string> options);

}  // namespace warpcheck::batch

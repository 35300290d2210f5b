// Grades on a Slurm cluster: job arrays of tasks that each grade a chunk of submissions
// (batch/slurm/task.h), on a file system that all nodes share.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "batch/executor.h"
#include "batch/journal.h"
#include "batch/slurm/slurm.h"

namespace warpcheck::batch {

struct SlurmExecutorSettings {
  std::unique_ptr<Slurm> slurm;
  std::filesystem::path folder;   // for the files of arrays, absolute; seen by all nodes
  std::filesystem::path program;  // warpcheck, as nodes see it
  BatchIdentity identity;
  std::size_t at_once = 0;  // tasks; 0: as many as the cluster has room for
  std::size_t chunk = 0;    // submissions a task; 0: by their number
  std::function<void(const std::string&)> notice = [](const std::string&) {};  // for a person

  // At least this long between two looks; longer where looking takes long.
  std::chrono::milliseconds news_pace{500};
  std::chrono::milliseconds queue_pace{2000};
  // How long a shared file system may take to show what another node wrote.
  std::chrono::seconds late_news{120};
  // How long the queue may give no answer.
  std::chrono::seconds outage{10 * 60};
};

// What earlier arrays in the folder have graded of the same batch is delivered, and what they
// still grade is waited for: a batch that was killed goes on where its tasks are. Stop cancels
// arrays and leaves their files.
std::unique_ptr<Executor> MakeSlurmExecutor(SlurmExecutorSettings settings);

}  // namespace warpcheck::batch

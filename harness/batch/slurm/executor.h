// SlurmExecutor grades on a Slurm cluster. It submits job arrays, and each task of an array grades
// a chunk of submissions (batch/slurm/task.h). All nodes must share a file system.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "batch/journal/identity.h"
#include "batch/slurm/slurm.h"
#include "batch/work/executor.h"

namespace warpcheck::batch {

struct SlurmExecutorSettings {
  std::unique_ptr<Slurm> slurm;
  std::filesystem::path folder;   // the folder for the arrays; an absolute path that all nodes see
  std::filesystem::path program;  // the path of warpcheck on the nodes
  BatchIdentity identity;
  std::size_t at_once = 0;  // how many tasks run at once; 0 means as many as the cluster allows
  std::size_t chunk = 0;    // how many submissions a task grades; 0 means that their number decides
  // Shows a message to the user.
  std::function<void(const std::string&)> notice = [](const std::string&) {};

  // The least time between two reads of the events, and between two questions to the queue. It
  // becomes longer if these take long.
  std::chrono::milliseconds event_pace{500};
  std::chrono::milliseconds queue_pace{2000};
  // The time that a shared file system may take to show a file that another node has written.
  std::chrono::seconds event_delay{120};
  // The time for which the queue may fail to answer before the batch stops.
  std::chrono::seconds outage{10 * 60};
};

// Delivers submissions of the same batch that earlier arrays in the folder have graded, and waits
// for those that they are still grading. So a batch that was killed continues with its running
// tasks. Stop cancels the arrays and leaves their files.
std::unique_ptr<Executor> MakeSlurmExecutor(SlurmExecutorSettings settings);

}  // namespace warpcheck::batch
